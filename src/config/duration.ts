const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Reads a duration of ISO 8601 with days or less, such as `PT1.5S` or `P1DT2H`. Returns milliseconds, if it is one. */
export function parseDuration(text: string): number | undefined {
  const parts = /^P(?=.)(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i.exec(text)
  if (parts === null) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0))
  return Math.round(days * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS)
}

/** The longest time to live, in milliseconds: 250 000 years, so that its end is a `Date`. */
export const LONGEST_LIFE_MS = 8e15
