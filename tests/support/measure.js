// What a browser makes of the pages in this page's frames; the result is left in #measured as JSON.
const boxes = (figure, view) => {
  const found = [], walk = view.document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, parent = node.parentElement;
    if (!node.textContent.trim() || parent.closest("title, desc, style")) continue;
    const range = view.document.createRange(); range.selectNodeContents(node);
    for (const r of range.getClientRects()) if (r.width > 0 && r.height > 0) found.push([node.textContent.trim(), r]);
  }
  return found;
};
const measure = view => {
  const page = view.document, root = page.documentElement, overlaps = [], cut = [], silent = [];
  for (const figure of page.querySelectorAll("figure")) {
    const outer = figure.getBoundingClientRect(), all = boxes(figure, view);
    for (const [name, box] of all)
      if (box.left < outer.left - 2 || box.right > outer.right + 2) cut.push(name);
    for (let i = 0; i < all.length; i++) for (let j = i + 1; j < all.length; j++) {
      const [a, x] = all[i], [b, y] = all[j];
      const wide = Math.min(x.right, y.right) - Math.max(x.left, y.left);
      const high = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
      if (wide > 1 && high > 0.35 * Math.min(x.height, y.height)) overlaps.push([a, b]);
    }
    const drawing = figure.querySelector("svg[role=img]");
    const says = drawing && drawing.querySelector("title")?.textContent && drawing.querySelector("desc")?.textContent;
    if (!says || !figure.querySelector(".axes")?.textContent.trim() || !figure.querySelector("figcaption")?.textContent)
      silent.push(figure.id || figure.textContent.trim().slice(0, 60));
  }
  for (const value of page.querySelectorAll(".value"))
    if (value.scrollWidth > value.clientWidth + 1) cut.push(value.textContent.trim());
  const overflow = () => root.scrollWidth - root.clientWidth;
  const closed = overflow();
  for (const fold of page.querySelectorAll("details")) fold.open = true;
  const unreachable = [];
  for (const e of page.querySelectorAll("a[href], summary, .scroll")) {
    if (e.matches(".scroll") && e.scrollWidth <= e.clientWidth) continue;
    e.focus(); if (page.activeElement !== e || e.tabIndex !== 0) unreachable.push(e.outerHTML.slice(0, 80));
  }
  const ids = [...page.querySelectorAll("[id]")].map(e => e.id);
  return {
    overlaps: overlaps.slice(0, 5), cut: cut.slice(0, 5), silent, unreachable: unreachable.slice(0, 5),
    overflow: Math.max(closed, overflow()),
    requests: view.performance.getEntriesByType("resource").map(r => r.name),
    dark: view.matchMedia("(prefers-color-scheme: dark)").matches,
    paper: view.getComputedStyle(page.body).backgroundColor,
    figures: page.querySelectorAll("figure").length,
    twice: ids.filter((id, i) => ids.indexOf(id) !== i),
    lost: [...page.querySelectorAll('a[href^="#"]')].map(a => a.hash.slice(1)).filter(h => !ids.includes(h)),
    active: page.querySelectorAll("script, iframe, object, embed, img, form, base, [onerror], [onload], [onclick]").length,
    texts: [...page.querySelectorAll("pre")].slice(0, 40).map(p => p.textContent),
  };
};
addEventListener("load", () => {
  const place = document.createElement("pre");
  place.id = "measured";
  place.textContent = JSON.stringify([...document.querySelectorAll("iframe")].map(f => measure(f.contentWindow)));
  document.body.append(place);
});
