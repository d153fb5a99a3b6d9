"use strict";
const byId = (id) => document.getElementById(id);
const search = byId("search"), status = byId("status"), severity = byId("severity");
const findings = [...document.querySelectorAll("article.finding")];
const rows = [...document.querySelectorAll("tr[data-status]")];
const texts = new Map([...findings, ...rows].map((one) => [one, one.textContent.toLowerCase()]));
function apply() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const match = (one) => words.every((word) => texts.get(one).includes(word));
  for (const one of findings) one.hidden = !(match(one) && (!severity.value || one.dataset.severity === severity.value));
  for (const one of rows) one.hidden = !(match(one) && (!status.value || one.dataset.status === status.value));
  for (const table of document.querySelectorAll("table.principles")) {
    const empty = [...table.tBodies[0].rows].every((row) => row.hidden), heading = table.previousElementSibling;
    table.hidden = empty;
    if (heading && /^H[3-6]$/.test(heading.tagName)) heading.hidden = empty;
  }
  for (const none of document.querySelectorAll("p.none")) {
    const inside = [...none.parentElement.querySelectorAll("article.finding, tr[data-status]")];
    none.hidden = inside.some((one) => !one.hidden);
  }
  const left = (list) => list.filter((one) => !one.hidden).length;
  byId("shown").textContent = `${left(findings)} of ${findings.length} findings, ${left(rows)} of ${rows.length} principles shown`;
}
function reveal() {
  const target = location.hash.length > 1 && byId(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let at = target; at; at = at.parentElement) {
    if (at.hidden) { search.value = status.value = severity.value = ""; apply(); }
    if (at.tagName === "DETAILS") at.open = true;
  }
  target.scrollIntoView();
}
for (const one of [search, status, severity]) one.addEventListener("input", apply);
byId("tools").addEventListener("submit", (event) => event.preventDefault());
for (const [id, open] of [["unfold", true], ["fold", false]])
  byId(id).addEventListener("click", () => { for (const one of document.querySelectorAll("main details")) one.open = open; });
window.addEventListener("hashchange", reveal);
byId("filter").hidden = false;
// On a phone, the report begins on the first screen.
if (matchMedia("(max-width: 40rem)").matches) byId("contents").open = byId("filter").open = false;
apply();
