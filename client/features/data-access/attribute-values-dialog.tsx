import { TagsInput, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { DataAccess } from '../../../src/shared/data-access/data-access'
import type { AttributeHolder, UserAttribute } from '../../../src/shared/data-access/rules'
import { FormDialog } from '../../ui/forms/form-dialog'
import { FormError } from '../../ui/forms/form-error'
import { SearchField } from '../../ui/forms/search-field'
import { MutedText } from '../../ui/muted-text'
import { NeutralBadge } from '../../ui/neutral-badge'
import { useAccessNames } from './access-names'
import { parseValues } from './attribute-draft'
import classes from './data-access.module.css'
import { useMayEditAccess } from './policy-saving'
import { useSaveAttributeValues } from './queries'

interface AttributeValuesDialogProps {
  access: DataAccess
  attribute: UserAttribute
  onClose: () => void
}

const holderKey = ({ kind, id }: AttributeHolder): string => `${kind}/${id}`
/** So many people are listed without a search. */
const LISTED_MAX = 50

/** Who has which values: groups first, then members, whose own values count in place of their groups'. */
export function AttributeValuesDialog({ access, attribute, onClose }: AttributeValuesDialogProps) {
  const { id, label, type, multiple } = attribute
  const { choices } = useAccessNames()
  const mayEdit = useMayEditAccess(access)
  const [search, setSearch] = useState('')
  const [typed, setTyped] = useState<ReadonlyMap<string, string[]>>(new Map())
  const saving = useSaveAttributeValues()
  const stored = (holder: AttributeHolder): string[] =>
    (
      access.values.find((one) => one.attributeId === id && holderKey(one.holder) === holderKey(holder))?.values ?? []
    ).map(String)
  const holders = [
    ...choices.group.map((one) => ({ name: one.label, holder: { kind: 'group' as const, id: one.value } })),
    ...choices.member.map((one) => ({ name: one.label, holder: { kind: 'member' as const, id: one.value } })),
  ]
  const found = holders.filter(({ name }) => name.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase()))
  const changed = holders.flatMap(({ holder }) => {
    const values = typed.get(holderKey(holder))
    return values ? [{ holder, values: parseValues(values, type) }] : []
  })
  const submit = (): void =>
    saving.mutate(
      { id, values: changed.flatMap(({ holder, values }) => (values ? [{ holder, values }] : [])) },
      {
        onSuccess: () => {
          notifications.show({ color: 'green', message: 'Values saved' })
          onClose()
        },
      },
    )
  return (
    <FormDialog
      title={`Values of ${label}`}
      size="lg"
      submit="Save values"
      pending={saving.isPending}
      disabled={!mayEdit || changed.length === 0 || changed.some(({ values }) => values === null)}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormError error={saving.error} />
      <MutedText>A member’s own values replace those of their groups.</MutedText>
      <SearchField label="Search members and groups" value={search} onChange={setSearch} />
      <ul className={classes.values} aria-label="Values">
        {found.slice(0, LISTED_MAX).map(({ name, holder }) => {
          const values = typed.get(holderKey(holder)) ?? stored(holder)
          return (
            <li key={holderKey(holder)} className={classes.value}>
              <span className={classes.tags}>
                <Text span size="sm">
                  {name}
                </Text>
                {holder.kind === 'group' && <NeutralBadge>Group</NeutralBadge>}
              </span>
              <TagsInput
                aria-label={`Values of ${name}`}
                size="xs"
                readOnly={!mayEdit}
                placeholder={values.length === 0 ? 'No value' : ''}
                value={values}
                {...(multiple ? {} : { maxTags: 1 })}
                error={parseValues(values, type) === null && 'Enter numbers.'}
                onChange={(next) => setTyped(new Map([...typed, [holderKey(holder), next]]))}
              />
            </li>
          )
        })}
      </ul>
      {found.length > LISTED_MAX && <MutedText>Search to see the other {found.length - LISTED_MAX}.</MutedText>}
    </FormDialog>
  )
}
