import { askFirst } from "./api/early";
import "./tokens.css";

void askFirst();
void import("./start");
