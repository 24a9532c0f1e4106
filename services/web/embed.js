// A race in a frame of another page leads to its own page.

document.querySelector("#whole").href = `/games/${location.pathname.split("/").at(-1)}`;
