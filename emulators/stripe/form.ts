import { invalidRequestError } from './errors.ts'

/** A parameter as the library sends it: form fields with brackets, read into what they nest. */
export type FormValue = string | FormValue[] | Form
export interface Form {
  [name: string]: FormValue
}

const isForm = (value: FormValue | undefined): value is Form => typeof value === 'object' && !Array.isArray(value)

/** `items[0][price]=a` → `{items: [{price: 'a'}]}`. */
export function parseForm(text: string): Form {
  const root: Form = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = '', ...rest] = name.split('[').map((part) => part.replace(/\]$/, ''))
    let into = root
    let key = first
    for (const part of rest) {
      const inner = into[key]
      const next = isForm(inner) ? inner : {}
      into[key] = next
      into = next
      key = part === '' ? String(Object.keys(next).length) : part
    }
    into[key] = value
  }
  return isForm(toLists(root, '')) ? Object.fromEntries(Object.entries(root).map(([k, v]) => [k, toLists(v, k)])) : {}
}

/** Numbered fields are lists, except in metadata, where any name is allowed. */
function toLists(formValue: FormValue, name: string): FormValue {
  if (!isForm(formValue)) return formValue
  const entries = Object.entries(formValue).map(([key, inner]): [string, FormValue] => [key, toLists(inner, key)])
  const numbered = name !== 'metadata' && entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key))
  return numbered ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}

export function optionalText(form: Form, name: string): string | undefined {
  const value = form[name]
  return typeof value === 'string' ? value : undefined
}

/** @throws 400 when it is absent or empty */
export function requireText(form: Form, name: string): string {
  const value = optionalText(form, name)
  if (value === undefined || value === '')
    throw invalidRequestError(`Missing required param: ${name}.`, { param: name, code: 'parameter_missing' })
  return value
}

/** @throws 400 when it is not an integer */
export function optionalInteger(form: Form, name: string): number | undefined {
  const value = optionalText(form, name)
  if (value === undefined || value === '') return undefined
  if (!/^-?\d{1,15}$/.test(value))
    throw invalidRequestError(`Invalid integer: ${value}`, { param: name, code: 'parameter_invalid_integer' })
  return Number(value)
}

export function optionalBoolean(form: Form, name: string): boolean | undefined {
  const value = optionalText(form, name)
  if (value === undefined || value === '') return undefined
  if (value !== 'true' && value !== 'false') throw invalidRequestError(`Invalid boolean: ${value}`, { param: name })
  return value === 'true'
}

/** One of the values that are allowed. @throws 400 for another */
export function oneOf<const T extends string>(form: Form, name: string, allowed: readonly T[]): T | undefined {
  const value = optionalText(form, name)
  if (value === undefined || value === '') return undefined
  const found = allowed.find((one) => one === value)
  if (found === undefined)
    throw invalidRequestError(`Invalid ${name}: must be one of ${allowed.join(', ')}`, { param: name })
  return found
}

export function subForm(form: Form, name: string): Form | undefined {
  const value = form[name]
  return isForm(value) ? value : undefined
}

export function formList(form: Form, name: string): Form[] | undefined {
  const value = form[name]
  return Array.isArray(value) ? value.filter(isForm) : undefined
}

export function textList(form: Form, name: string): string[] {
  const value = form[name]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** What metadata are afterwards: named ones are set, empty ones taken out, `metadata=` takes out all. */
export function mergeMetadata(form: Form, before: Record<string, string> = {}): Record<string, string> {
  if (form['metadata'] === '') return {}
  const after = { ...before }
  for (const [name, value] of Object.entries(subForm(form, 'metadata') ?? {})) {
    if (typeof value !== 'string') continue
    if (value === '') delete after[name]
    else after[name] = value
  }
  return after
}
