/** The same items in a random order, each order as likely as any other (Fisher–Yates). */
export function shuffled<T>(items: readonly T[]): T[] {
  const all = [...items]
  for (let left = all.length; left > 1; left -= 1) {
    const [drawn] = all.splice(Math.floor(Math.random() * left), 1)
    all.push(drawn as T)
  }
  return all
}
