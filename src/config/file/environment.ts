/** Where an environment variable is put in, with its name and its default. */
const REFERENCE = /\$\{([\w.]+)(?::-([^}]*))?\}/
const REFERENCES = new RegExp(REFERENCE, 'g')

/**
 * Puts environment variables into a text: `${NAME}`, or `${NAME:-default}` for one that may be unset or empty, as in a
 * shell. `onUnset` says what to put in for a variable that is not set and has no default.
 */
export function substitute(text: string, onUnset: (name: string, reference: string) => string): string {
  const closed = closedPartOf(text)
  const replaced = closed.replace(REFERENCES, (reference, name: string, fallback: string | undefined) => {
    const value = variable(name)
    return fallback === undefined ? (value ?? onUnset(name, reference)) : value || fallback
  })
  return replaced + text.slice(closed.length)
}

/** The name of the first variable that is put into a text; undefined where there is none. */
export function variableIn(text: string): string | undefined {
  return REFERENCE.exec(closedPartOf(text))?.[1]
}

/** Without a brace to come, each default would be looked through to the end of the text. */
function closedPartOf(text: string): string {
  return text.slice(0, text.lastIndexOf('}') + 1)
}

function variable(name: string): string | undefined {
  return Object.hasOwn(process.env, name) ? process.env[name] : undefined // not `constructor` and its like
}
