// SPDX-License-Identifier: MIT
// The only script of a report's own: a click on a frame number, or into a chart, takes the player there.
(() => {
  const player = document.getElementById('player');

  // A frame of one take is a time, and a time is a frame of the player's first take.
  function go(frame, from) {
    const u = window.ugoki;
    if (!u || !u.seek) return false;
    const take = from.closest('[data-rate]'), rate = take ? Number(take.dataset.rate) : 0;
    const r = u.manifest(0).rate, first = r.num / r.den;
    u.seek(rate > 0 && first > 0 ? Math.round(frame / rate * first) : frame);
    player.scrollIntoView({ block: 'start' });
    return true;
  }

  document.addEventListener('click', (e) => {
    const link = e.target.closest('[data-frame]');
    if (link) {
      if (go(Number(link.dataset.frame), link)) e.preventDefault();
      return;
    }
    const svg = e.target.closest('svg[data-frames]');
    if (!svg) return;
    const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const d = svg.dataset, share = (p.x - d.left) / (d.right - d.left);
    if (share >= 0 && share < 1) go(Math.floor(share * d.frames), svg);
  });
})();
