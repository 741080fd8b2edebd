/** The same type for its owner, who may change it. */
export type Mutable<T> = { -readonly [P in keyof T]: T[P] }
