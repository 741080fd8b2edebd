import { classOf, rounded, svg, text } from './svg.js'

const WIDTH = 720
const HEIGHT = 360
const LEFT = 48
const RIGHT = 190
const TOP = 44
const BOTTOM = 32
const POINTS = 200

const SHARES = [0, 0.25, 0.5, 0.75, 1]

interface Measured {
  readonly name: string
  readonly values: readonly number[]
}

/** For each name, what share of its values is no larger than what is to be read below, in powers of ten. */
export function curves(title: string, measured: readonly Measured[]): string {
  const all = measured.map(({ name, values }) => ({ name, sorted: values.toSorted((a, b) => a - b) }))
  const x = scaleOver(all.map(({ sorted }) => sorted))
  return svg(WIDTH, HEIGHT, title, [
    ...SHARES.map((share) => horizontal(share)),
    ...x.powers.map((power) => vertical(x.of(power), power)),
    ...all.map(({ name, sorted }, index) => curve({ name, index, sorted }, x.of)),
    ...all.map(({ name }, index) => legend(name, index)),
  ])
}

/** From the power of ten below the smallest value to the one above the largest. */
function scaleOver(sets: readonly (readonly number[])[]): {
  readonly powers: readonly number[]
  readonly of: (value: number) => number
} {
  const smallest = Math.max(LEAST_MS, Math.min(...sets.map((sorted) => sorted[0] ?? LEAST_MS)))
  const largest = Math.max(...sets.map((sorted) => sorted.at(-1) ?? 1))
  const [low, high] = [Math.floor(Math.log10(smallest)), Math.ceil(Math.log10(largest))]
  return {
    powers: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
    of: (value) =>
      LEFT + ((Math.log10(Math.max(value, 10 ** low)) - low) / (high - low)) * (WIDTH - LEFT - RIGHT),
  }
}

/** The least visible. */
const LEAST_MS = 0.01

function yOf(share: number): number {
  return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
}

function curve(
  {
    name,
    index,
    sorted,
  }: { readonly name: string; readonly index: number; readonly sorted: readonly number[] },
  x: (value: number) => number,
): string {
  const points = Array.from({ length: POINTS + 1 }, (_, point) => {
    const share = point / POINTS
    const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
    return `${rounded(x(value))} ${rounded(yOf(share))}`
  })
  return `<path class="line ${classOf(name, index)}" d="M${points.join('L')}"/>`
}

function horizontal(share: number): string {
  const y = rounded(yOf(share))
  return [
    `<path class="grid" d="M${String(LEFT)} ${y}H${String(WIDTH - RIGHT)}"/>`,
    text({ x: LEFT / 2, y: yOf(share) + 4, of: 'tick' }, `${String(share * 100)} %`),
  ].join('\n')
}

function vertical(x: number, power: number): string {
  return [
    `<path class="grid" d="M${rounded(x)} ${String(TOP)}V${String(HEIGHT - BOTTOM)}"/>`,
    text({ x, y: HEIGHT - BOTTOM + 18, of: 'tick' }, `${String(power)} ms`),
  ].join('\n')
}

function legend(name: string, index: number): string {
  const y = TOP + 10 + index * 22
  return [
    `<path class="line ${classOf(name, index)}" d="M${String(WIDTH - RIGHT + 12)} ${String(y)}h18"/>`,
    text({ x: WIDTH - RIGHT + 36, y: y + 4, of: 'name' }, name),
  ].join('\n')
}
