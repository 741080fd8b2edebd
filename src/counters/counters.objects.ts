export * from './atomic-double/atomic-double.object.js'
export * from './atomic-long/atomic-long.object.js'
export * from './id-generator/id-generator.object.js'
