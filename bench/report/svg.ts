/** A picture that can be read on white and on black. */
export function svg(width: number, height: number, title: string, body: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    text({ x: 16, y: 26, of: 'head' }, title),
    ...body,
    '</svg>\n',
  ].join('\n')
}

/** Words at a place; `of` is how they look. */
export function text(
  { x, y, of }: { readonly x: number; readonly y: number; readonly of: 'head' | 'name' | 'number' | 'tick' },
  words: string,
): string {
  return `<text x="${rounded(x)}" y="${rounded(y)}" class="${of}">${escaped(words)}</text>`
}

/** The visible precision. */
export function rounded(number: number): string {
  return String(Math.round(number * 10) / 10)
}

/** The library stands out, and the others are distinguishable. */
export function classOf(name: string, index: number): string {
  return name === 'ioredisson' ? 'ours' : `c${String(index % OTHERS.length)}`
}

/** Colours that are distinguishable with any colour vision, and neither too light nor too dark for either background. */
const OTHERS = ['#8a8f98', '#b8860b', '#2a9d8f', '#a855c7', '#d1668f', '#7a9a2e', '#c0653a', '#4c9fd0']
const OURS = '#e4572e'

const STYLE = [
  'text{font-family:system-ui,sans-serif;fill:#1f2328}',
  '.head{font-size:15px;font-weight:600}.name{font-size:13px}.number,.tick{font-size:12px}',
  '.tick{fill:#59636e;text-anchor:middle}.grid{stroke:#d1d9e0;stroke-width:1}.line{fill:none;stroke-width:1.6}',
  `rect.ours{fill:${OURS}}path.ours{stroke:${OURS};stroke-width:3}`,
  ...OTHERS.map(
    (color, index) => `rect.c${String(index)}{fill:${color}}path.c${String(index)}{stroke:${color}}`,
  ),
  '@media(prefers-color-scheme:dark){text{fill:#e6edf3}.tick{fill:#9198a1}.grid{stroke:#3d444d}}',
].join('')

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
