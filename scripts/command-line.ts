/** A program that is told by its command line what to do. */
export interface Program<T> {
  /** Reads the command line; throws an error that says in one line what is wrong with it. */
  readonly read: (args: readonly string[]) => T
  readonly usage: string
  /** Does it, and returns the exit code. */
  readonly perform: (task: T) => Promise<number>
}

/** Runs a program. Returns the exit code: 2 if the command line is wrong, 1 if the program cannot do what it should. */
export async function runProgram<T>(
  args: readonly string[],
  { read, usage, perform }: Program<T>,
): Promise<number> {
  let task: T
  try {
    task = read(args)
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${usage}`)
    return 2
  }
  try {
    return await perform(task)
  } catch (error) {
    console.error(messageOf(error))
    return 1
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Reads the name that an option gives.
 *
 * @throws Error if it is unknown
 */
export function nameIn<T extends string>(option: string, text: string, known: readonly T[]): T {
  const name = known.find((each) => each === text)
  if (name !== undefined) return name
  throw new Error(`Expected \`${option}\` to be one of ${known.join(', ')}, got "${text}"`)
}

/**
 * Reads names that an option gives several times, or several with commas between.
 *
 * @throws Error if one of them is unknown
 */
export function namesIn<T extends string>(
  option: string,
  given: readonly string[],
  known: readonly T[],
): readonly T[] {
  const names = given.flatMap((text) => text.split(',')).map((name) => nameIn(option, name, known))
  return known.filter((each) => names.includes(each))
}

/** Reads the number that an option gives. */
export function numberIn(option: string, text: string, least: number, most: number): number {
  const number = Number(text)
  if (text !== '' && number >= least && number <= most) return number
  throw new Error(
    `Expected \`${option}\` to be a number from ${String(least)} to ${String(most)}, got "${text}"`,
  )
}

/** Reads the whole number that an option gives. */
export function wholeIn(option: string, text: string, least: number, most: number): number {
  const number = Number(text)
  if (text !== '' && Number.isInteger(number) && number >= least && number <= most) return number
  throw new Error(
    `Expected \`${option}\` to be a whole number from ${String(least)} to ${String(most)}, got "${text}"`,
  )
}
