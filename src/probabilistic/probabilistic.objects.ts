export * from './bloom-filter/bloom-filter.object.js'
export * from './hyper-log-log/hyper-log-log.object.js'
