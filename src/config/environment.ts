/**
 * Puts environment variables into a text: `${NAME}`, or `${NAME:-default}` for one that may be unset or empty, as in a
 * shell. `onUnset` says what to put in for a variable that is not set and has no default.
 */
export function substitute(text: string, onUnset: (name: string, reference: string) => string): string {
  const end = text.lastIndexOf('}') + 1 // without one to come, each default would be looked through to the end of the text
  const replaced = text
    .slice(0, end)
    .replace(/\$\{([\w.]+)(?::-([^}]*))?\}/g, (reference, name: string, fallback: string | undefined) => {
      const value = variable(name)
      return fallback === undefined ? (value ?? onUnset(name, reference)) : value || fallback
    })
  return replaced + text.slice(end)
}

function variable(name: string): string | undefined {
  return Object.hasOwn(process.env, name) ? process.env[name] : undefined // not `constructor` and its like
}
