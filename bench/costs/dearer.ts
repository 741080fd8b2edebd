import type { ScriptCost } from './in-redis.js'

/** What a script may become dearer by, before it is named. */
const MAY_GROW = 1.2

/** How much dearer a script is than that of the least commands, measured in the same rounds. */
export function ratioOf({ us, leastUs }: Pick<ScriptCost, 'us' | 'leastUs'>): number {
  return us / leastUs
}

/** The best that was seen in two measurements of the same scripts. */
export function bestOf(first: readonly ScriptCost[], second: readonly ScriptCost[]): readonly ScriptCost[] {
  return first.map((one) => {
    const other = second.find(({ name }) => name === one.name) ?? one
    return { ...one, us: Math.min(one.us, other.us), leastUs: Math.min(one.leastUs, other.leastUs) }
  })
}

/** What is said of a script. */
interface Remark {
  readonly name: string
  readonly says: string
}

/** Names the scripts that have become a fifth dearer than they were, and those of which that is not known. */
export function dearer(
  scripts: readonly Pick<ScriptCost, 'name' | 'us' | 'leastUs'>[],
  reference: Readonly<Record<string, number>>,
): readonly Remark[] {
  return scripts.flatMap((script) => {
    const { name } = script
    const [was, is] = [reference[name], ratioOf(script)]
    if (was === undefined) return [{ name, says: `${name}: nothing to compare with, add ${is.toFixed(2)}` }]
    if (is <= was * MAY_GROW) return []
    return [{ name, says: `DEARER ${name}: ${is.toFixed(2)} of the least, which was ${was.toFixed(2)}` }]
  })
}
