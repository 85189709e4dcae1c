import { mount } from "svelte";
import App from "./shell/App.svelte";
import "./tokens.css";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no place for the studio");
mount(App, { target });
