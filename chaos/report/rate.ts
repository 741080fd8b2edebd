/** With 95 % confidence, what was not seen in n cases happens less often than this often in each (the rule of three). */
const RULE_OF_THREE = 3

/** How often something was seen, and in how many cases: a rate per number of them, or, if never, its upper bound. */
export function rate(seen: number, cases: number, per = 1): string {
  if (cases === 0) return '–'
  const counted = `${grouped(seen)} in ${grouped(cases)}`
  const scale = per / cases
  return seen === 0 ? `${counted} (< ${short(RULE_OF_THREE * scale)})` : `${counted} (${short(seen * scale)})`
}

/** A number with its thousands apart. */
export function grouped(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ' ')
}

function short(number: number): string {
  return number >= 100 ? grouped(number) : String(Number(number.toPrecision(2)))
}
