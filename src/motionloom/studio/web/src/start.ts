import { mount } from "svelte";
import App from "./shell/App.svelte";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no place for the studio");
mount(App, { target });
