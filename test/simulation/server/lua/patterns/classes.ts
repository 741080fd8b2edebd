/** What a class such as `%d` contains, by its letter. All are of ASCII, as in the C locale. */
const CLASSES: Readonly<Record<string, RegExp>> = {
  a: /[A-Za-z]/,
  c: /[\0-\x1f\x7f]/, // eslint-disable-line no-control-regex -- these are what it is about
  d: /[0-9]/,
  l: /[a-z]/,
  p: /[!-/:-@[-`{-~]/,
  s: /[ \t-\r]/,
  u: /[A-Z]/,
  w: /[A-Za-z0-9]/,
  x: /[A-Fa-f0-9]/,
  z: /\0/,
}

const BYTES = Array.from({ length: 256 }, (_, byte) => byte)

/** For each letter, whether a byte is in its class; for a capital letter, whether it is not. */
const tables: ReadonlyMap<number, readonly boolean[]> = new Map(
  Object.entries(CLASSES).flatMap(([letter, bytes]) => {
    const inside = BYTES.map((byte) => bytes.test(String.fromCharCode(byte)))
    return [
      [letter.charCodeAt(0), inside],
      [letter.toUpperCase().charCodeAt(0), inside.map((is) => !is)],
    ] as const
  }),
)

/** Whether a byte matches `%` and a letter. What is no letter of a class stands for itself. */
export function isInClass(byte: number, letter: number): boolean {
  return tables.get(letter)?.[byte] ?? byte === letter
}
