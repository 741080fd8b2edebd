import { fixedDecimals, significantDigits } from './decimal.js'

/** How `printf` writes a number, before its width is heeded. */
export interface Layout {
  /** `e`, `f` or `g`; in capitals for letters that are. */
  readonly conversion: string
  readonly precision: number
  /** The sign `#`: whether zeros at the end and the point stay. */
  readonly isAlternate: boolean
}

/** Below this power of ten `%g` writes an exponent. */
const LEAST_PLAIN_EXPONENT = -4

/** A number as `printf` of C writes it, without its sign. */
export function printed(number: number, layout: Layout): string {
  const { conversion } = layout
  const text = Number.isFinite(number)
    ? finite(number, { ...layout, conversion: conversion.toLowerCase() })
    : infinite(number)
  return conversion === conversion.toLowerCase() ? text : text.toUpperCase()
}

/** What comes before a negative number. That which 0/0 gives is negative on the machines that servers run on. */
export function isNegative(number: number): boolean {
  return number < 0 || Object.is(number, -0) || Number.isNaN(number)
}

function infinite(number: number): string {
  return Number.isNaN(number) ? 'nan' : 'inf'
}

function finite(number: number, layout: Layout): string {
  const { conversion, precision, isAlternate } = layout
  if (conversion === 'f') return fixed(number, precision, isAlternate)
  if (conversion === 'e') return scientific(number, precision, isAlternate)
  return general(number, Math.max(precision, 1), isAlternate)
}

function fixed(number: number, precision: number, isAlternate: boolean): string {
  const text = fixedDecimals(number, precision)
  return isAlternate && precision === 0 ? `${text}.` : text
}

function scientific(number: number, precision: number, isAlternate: boolean): string {
  const { digits, exponent } = significantDigits(number, precision + 1)
  return withPoint(digits, isAlternate) + exponentText(exponent)
}

function general(number: number, precision: number, isAlternate: boolean): string {
  const { digits, exponent } = significantDigits(number, precision)
  const isPlain = exponent >= LEAST_PLAIN_EXPONENT && exponent < precision
  if (isPlain) return plain(digits, exponent, isAlternate)
  return withPoint(isAlternate ? digits : withoutZeros(digits), isAlternate) + exponentText(exponent)
}

function plain(digits: string, exponent: number, isAlternate: boolean): string {
  const all = exponent < 0 ? '0'.repeat(-exponent) + digits : digits
  const point = Math.max(exponent, 0) + 1
  const decimals = all.slice(point)
  const kept = isAlternate ? decimals : decimals.replace(/0+$/, '')
  return kept === '' && !isAlternate ? all.slice(0, point) : `${all.slice(0, point)}.${kept}`
}

function withPoint(digits: string, isAlternate: boolean): string {
  const [first = '0'] = digits
  return digits.length === 1 && !isAlternate ? first : `${first}.${digits.slice(1)}`
}

function withoutZeros(digits: string): string {
  return digits.replace(/(?<=.)0+$/, '')
}

function exponentText(exponent: number): string {
  return `e${exponent < 0 ? '-' : '+'}${Math.abs(exponent).toString().padStart(2, '0')}`
}
