import type { Plugin } from 'vitest/config'

/** Lets tests import `.lua` files as text, as the build does. */
export function luaAsText(): Plugin {
  return {
    name: 'lua-as-text',
    transform(code, id) {
      return id.endsWith('.lua') ? { code: `export default ${JSON.stringify(code)}`, map: null } : undefined
    },
  }
}
