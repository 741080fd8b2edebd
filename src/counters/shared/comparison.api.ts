/** How the value of a counter is compared with another number. */
export type Comparison = '<' | '<=' | '>' | '>=' | '==' | '!='
