/**
 * Imports a package that only the `package.json` of this folder knows. Its types are what the contender says that it uses, so that the
 * compiler has nothing to look for where the peers are not installed.
 */
export async function loadPeer<T>(packageName: string): Promise<T> {
  return (await import(packageName)) as T
}
