/** The clients whose calls an object makes: each is the signal that aborts when its shutdown begins. */
export const CLIENTS: unique symbol = Symbol('clients')

/** What makes calls of a client. */
export interface OfClients {
  readonly [CLIENTS]: readonly AbortSignal[]
}

/** A synchronous function of the program, and the client whose calls are refused while it runs. */
interface Section {
  readonly client: AbortSignal
  readonly refusalOf: (call: string) => Error
  refusal: Error | undefined
}

/** How much of a name an error has. */
const LONGEST_NAME = 80

/** Those that run now: one inside the other, where a program has several clients. */
const sections: Section[] = []

/** Whether what runs now may make calls. */
let isAllowed = false

/** The call of an object of a client that runs now. Nothing else that the library does by itself is refused. */
let running: string | undefined

/** How many calls were refused. */
let refused = 0

/**
 * Runs a synchronous function of the program. Calls of a client that it makes are refused, except while they are {@link allow}ed.
 *
 * @param refusalOf - what a call is refused with
 * @throws the first refusal, even if the program has handled it
 */
export function refusingCalls<R>(client: AbortSignal, refusalOf: Section['refusalOf'], fn: () => R): R {
  const section: Section = { client, refusalOf, refusal: undefined }
  sections.push(section)
  let result: R
  try {
    result = fn()
  } finally {
    sections.pop()
  }
  if (section.refusal === undefined) return result
  for (const each of Array.isArray(result) ? (result as readonly unknown[]) : [result]) hear(each)
  throw section.refusal
}

/** Sets whether {@link refusingCalls} lets pass what runs from now on. Returns what was set before. */
export function allow(passes: boolean): boolean {
  const before = isAllowed
  isAllowed = passes
  return before
}

/**
 * Demands that a call of a client may be made now.
 *
 * @throws what {@link refusingCalls} refuses it with
 */
export function demandAllowed(client: AbortSignal, call: string): void {
  if (sections.length === 0 || isAllowed) return
  const section = sections.find((each) => each.client === client)
  if (section === undefined) return
  refused += 1
  const refusal = section.refusalOf(call)
  section.refusal ??= refusal
  throw refusal
}

/** The same for a request, made now or later, if a method of an object makes it for the program. */
export function demandAllowedRequest(client: AbortSignal): void {
  if (running !== undefined) demandAllowed(client, running)
}

/** Whether calls of any client are refused now. */
export function areCallsRefused(): boolean {
  return sections.length > 0 && !isAllowed
}

/**
 * Runs a method of an object while {@link areCallsRefused}. An asynchronous method of an object of that client is not run. No promise that rejects
 * because of this ends the process.
 */
export function guardedCall(method: string, object: object, isAsync: boolean, run: () => unknown): unknown {
  const { [CLIENTS]: clients = [] } = object as Partial<OfClients>
  const before = refused
  const outer = running
  if (clients.length > 0) running = named(method, object)
  try {
    if (isAsync && running !== undefined) for (const client of clients) demandAllowed(client, running)
    const result = run()
    if (refused > before) hear(result)
    return result
  } catch (error) {
    if (!isAsync) throw error
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the refusal
    const rejected = Promise.reject(error)
    hear(rejected)
    return rejected
  } finally {
    running = outer
  }
}

function named(method: string, object: object): string {
  const name = 'name' in object ? object.name : undefined
  return typeof name === 'string' ? `${method}() of ${name.slice(0, LONGEST_NAME)}` : `${method}()`
}

/** Handles the rejection of a promise. */
function hear(value: unknown): void {
  if (value instanceof Promise) value.catch(() => undefined)
}
