import { classOf, rounded, svg, text } from './svg.js'

const WIDTH = 720
const TOP = 44
const ROW = 28
const NAMES = 190
const NUMBERS = 70

/** One bar for each name. */
export function bars(
  title: string,
  measured: readonly { readonly name: string; readonly value: number }[],
): string {
  const most = Math.max(...measured.map(({ value }) => value))
  const body = measured.flatMap(({ name, value }, index) => {
    const y = TOP + index * ROW
    const width = (value / most) * (WIDTH - NAMES - NUMBERS)
    return [
      text({ x: 16, y: y + 16, of: 'name' }, name),
      `<rect x="${String(NAMES)}" y="${String(y + 3)}" width="${rounded(width)}" height="${String(ROW - 10)}" rx="2" class="${classOf(name, index)}"/>`,
      text({ x: NAMES + width + 8, y: y + 16, of: 'number' }, value.toFixed(0)),
    ]
  })
  return svg(WIDTH, TOP + measured.length * ROW + 8, title, body)
}
