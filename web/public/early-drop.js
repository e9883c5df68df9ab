// Keeps what is dropped while the page still loads its scripts: the browser would open it in place of the page.
(() => {
  const listening = new AbortController();
  const dropped = [];
  const take = (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    if (event.type === 'dragover') return;
    for (const item of event.dataTransfer.items) {
      if (item.kind === 'file') dropped.push({ entry: item.webkitGetAsEntry(), file: item.getAsFile() });
    }
  };
  for (const type of ['dragover', 'drop']) addEventListener(type, take, { signal: listening.signal });
  window.takeEarlyDrop = () => {
    listening.abort();
    return dropped.splice(0);
  };
})();
