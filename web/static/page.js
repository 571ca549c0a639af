// What pages do with a script and are complete without: copying a command, suggestions while typing, and keys that
// go from one changed file to the next.
"use strict";

const announce = (text) => {
  const status = document.getElementById("status");
  if (status) status.textContent = text;
};

for (const button of document.querySelectorAll("button[data-copy]")) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const command = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(command.textContent);
      announce("Copied");
    } catch {
      getSelection().selectAllChildren(command);
      announce("Copying failed, select the text");
    }
  });
}

// A field with a list under it (the combobox pattern of ARIA). Enter without a choice searches, as ever.
const suggest = (field, list) => {
  let asked = 0;
  let waiting = 0;
  let current = -1;

  const close = () => {
    list.hidden = true;
    list.replaceChildren();
    current = -1;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  };

  const choose = (index) => {
    const items = list.children;
    if (!items.length) return;
    current = (index + items.length) % items.length;
    for (const item of items) item.setAttribute("aria-selected", String(item === items[current]));
    field.setAttribute("aria-activedescendant", items[current].id);
  };

  const go = (item) => {
    location.href = item.dataset.address;
  };

  const show = (results) => {
    close();
    results.forEach((result, index) => {
      const item = document.createElement("li");
      item.id = `suggestion-${index}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.textContent = `${result.ownerHandle}/${result.slug}`;
      item.dataset.address = `/${encodeURIComponent(result.ownerHandle)}/skills/${encodeURIComponent(result.slug)}`;
      item.addEventListener("mousedown", (event) => {
        event.preventDefault();
        go(item);
      });
      list.append(item);
    });
    list.hidden = !results.length;
    announce(results.length === 1 ? "1 suggestion" : `${results.length} suggestions`);
    field.setAttribute("aria-expanded", String(!list.hidden));
  };

  const ask = async () => {
    const mine = ++asked;
    const question = field.value.trim();
    if (question.length < 2) return close();
    try {
      const answer = await fetch(`/api/v1/search?limit=6&q=${encodeURIComponent(question)}`);
      const { results } = await answer.json();
      if (mine === asked && document.activeElement === field) show(results);
    } catch {
      close();
    }
  };

  field.setAttribute("role", "combobox");
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", list.id);
  field.setAttribute("aria-expanded", "false");
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(ask, 120);
  });
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    else if (event.key === "ArrowDown" && !list.hidden) choose(current + 1);
    else if (event.key === "ArrowUp" && !list.hidden) choose(current < 0 ? -1 : current - 1);
    else if (event.key === "Enter" && current >= 0) go(list.children[current]);
    else return;
    event.preventDefault();
  });
};

for (const field of document.querySelectorAll("input[data-suggest]")) {
  suggest(field, document.getElementById(field.dataset.suggest));
}

const changes = [...document.querySelectorAll(".change")];
const hint = document.querySelector("[data-keys]");
if (changes.length > 1 && hint) {
  hint.hidden = false;
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !["n", "p"].includes(event.key)) return;
    // Single keys act only where they were asked for: while one of the files has the focus (WCAG 2.1.4).
    const from = changes.indexOf(document.activeElement.closest(".change"));
    if (from < 0) return;
    const to = event.key === "n" ? from + 1 : Math.max(from - 1, 0);
    if (to < changes.length) {
      changes[to].focus();
      changes[to].scrollIntoView();
    }
  });
}
