export * from './function/function.object.js'
export * from './keys/keys.object.js'
export * from './script/script.object.js'
