/** Importing a Lua file yields its text. */
declare module '*.lua' {
  const text: string
  export default text
}
