import { z } from 'zod'
import type { AccessPolicyInput } from '../../../src/shared/data-access/data-access'
import {
  BUILT_IN_ATTRIBUTES,
  userAttributeInputSchema,
  type AccessPolicy,
  type AttributeValue,
  type UserAttribute,
  type UserAttributeInput,
} from '../../../src/shared/data-access/rules'
import { capitalize } from '../../../src/shared/text'
import { formValidator } from '../../lib/validate-form'

/** An attribute while it is being written: values are texts. */
export interface AttributeDraft {
  label: string
  key: string
  type: UserAttribute['type']
  multiple: boolean
  defaults: string[]
}

export const toAttributeDraft = (attribute: UserAttribute | null): AttributeDraft => ({
  label: attribute?.label ?? '',
  key: attribute?.key ?? '',
  type: attribute?.type ?? 'text',
  multiple: attribute?.multiple ?? true,
  defaults: (attribute?.defaults ?? []).map(String),
})

/** `Sales region` → `salesRegion`: letters and digits, beginning with a lower-case letter. */
export function keyFromLabel(label: string): string {
  const plain = label.normalize('NFD').replace(/[\u0300-\u036f]/g, '')
  const words =
    plain
      .toLowerCase()
      .replace(/^[^a-z]+/, '')
      .match(/[a-z0-9]+/g) ?? []
  return words
    .map((word, at) => (at === 0 ? word : capitalize(word)))
    .join('')
    .slice(0, 40)
}

const numberSchema = z.coerce.number()
/** Typed values of an attribute's type; null when one is none. */
export function parseValues(texts: readonly string[], type: UserAttribute['type']): AttributeValue[] | null {
  const typed = texts.map((text) => text.trim()).filter((text) => text !== '')
  if (type === 'text') return typed
  const numbers = typed.map(
    (text) => numberSchema.safeParse(text.replace(/[\s\u00a0\u202f]/g, '').replace(',', '.')).data,
  )
  return numbers.every((one) => one !== undefined && Number.isFinite(one))
    ? numbers.flatMap((one) => (one === undefined ? [] : [one]))
    : null
}

const check = formValidator(userAttributeInputSchema)
/** The attribute of a draft, or what is wrong, by field. `others`: keys that are taken. */
export function toAttribute(
  draft: AttributeDraft,
  others: readonly string[],
): { attribute: UserAttributeInput } | { problems: Record<string, string> } {
  const defaults = parseValues(draft.defaults, draft.type)
  const attribute = { ...draft, label: draft.label.trim(), defaults: defaults ?? [] }
  const problems: Record<string, string> = {
    ...check(attribute),
    ...(defaults === null ? { defaults: 'Enter numbers.' } : {}),
    ...(!draft.multiple && (defaults ?? []).length > 1 ? { defaults: 'Enter one value.' } : {}),
    ...([...others, ...BUILT_IN_ATTRIBUTES].includes(draft.key) ? { key: 'Key already in use.' } : {}),
  }
  return Object.keys(problems).length > 0 ? { problems } : { attribute }
}

export function withAttribute(
  policy: AccessPolicy,
  id: string | null,
  attribute: UserAttributeInput,
): AccessPolicyInput {
  const isKnown = policy.attributes.some((one) => one.id === id)
  if (id === null || !isKnown) return { ...policy, attributes: [...policy.attributes, attribute] }
  return { ...policy, attributes: policy.attributes.map((one) => (one.id === id ? { id, ...attribute } : one)) }
}
export const withoutAttribute = (policy: AccessPolicy, id: string): AccessPolicyInput => ({
  ...policy,
  attributes: policy.attributes.filter((one) => one.id !== id),
})
