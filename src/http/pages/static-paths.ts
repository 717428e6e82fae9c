/**
 * Addresses of the files in `../assets`. Each has a hash of the file's contents, so that browsers may keep it forever:
 * after a change a test shows the new one.
 */
export const STYLESHEET_PATH = "/assets/60de6ce2afc44a6d.css";
export const SCRIPT_PATH = "/assets/da0337aa5c7037f3.js";
