/**
 * Addresses of the files in `../assets`. Each has a hash of the file's contents, so that browsers may keep it forever: a
 * test tells the new one after a change.
 */
export const STYLESHEET_PATH = "/assets/7f38575c8fc46e5b.css";
export const SCRIPT_PATH = "/assets/da0337aa5c7037f3.js";
