import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import type { DataAccess } from '../../../src/shared/data-access/data-access'
import { USER_ATTRIBUTES_MAX, type UserAttribute } from '../../../src/shared/data-access/rules'
import { useFormat } from '../../lib/format'
import { formatCountOf } from '../../../src/shared/figures/formatter'
import { MoreMenu } from '../../ui/buttons/more-menu'
import { EmptyState } from '../../ui/empty-state'
import { NeutralBadge } from '../../ui/neutral-badge'
import { attributesOfRule, describeValues } from './access-text'
import { AttributeDialog } from './attribute-dialog'
import { withoutAttribute } from './attribute-draft'
import { AttributeValuesDialog } from './attribute-values-dialog'
import classes from './data-access.module.css'
import { PolicyReviewDialog } from './policy-review'
import { useMayEditAccess, useOpened } from './policy-saving'

type OpenDialog =
  | { kind: 'edit'; attribute: UserAttribute | null }
  | { kind: 'values' | 'delete'; attribute: UserAttribute }

/** What is known of people beyond their names, and which rules ask it. */
export function AttributesTab({ access }: { access: DataAccess }) {
  const { attributes } = access.policy
  const mayEdit = useMayEditAccess(access)
  const { opened, open, close } = useOpened<OpenDialog>()
  const create = mayEdit && attributes.length < USER_ATTRIBUTES_MAX && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open({ kind: 'edit', attribute: null })}>
      Create attribute
    </Button>
  )
  return (
    <Stack gap="md">
      {attributes.length === 0 ? (
        <EmptyState
          picture="people"
          title="No attributes yet"
          sentence="One rule for all: each person sees the rows of their own region."
          action={create}
        />
      ) : (
        <>
          <Group justify="flex-end">{create}</Group>
          <ul className={`surface ${classes.list}`} aria-label="Attributes">
            {attributes.map((attribute) => (
              <AttributeItem key={attribute.id} {...{ access, attribute, mayEdit }} onOpen={open} />
            ))}
          </ul>
        </>
      )}
      {opened && <OpenedAttribute {...{ access, opened }} onClose={close} />}
    </Stack>
  )
}

interface AttributeItemProps {
  access: DataAccess
  attribute: UserAttribute
  mayEdit: boolean
  onOpen: (opened: OpenDialog) => void
}

function AttributeItem({ access, attribute, mayEdit, onOpen }: AttributeItemProps) {
  const format = useFormat()
  const { id, key, label, type, multiple, defaults } = attribute
  const rules = access.policy.rules.filter((rule) => attributesOfRule(rule).includes(key))
  const held = access.values.filter(({ attributeId, values }) => attributeId === id && values.length > 0)
  const isUsed = rules.length > 0
  return (
    <li className={classes.item}>
      <div className={classes.words}>
        <Group gap="xs">
          <Text fw={600}>{label}</Text>
          <NeutralBadge>{type === 'number' ? 'Number' : 'Text'}</NeutralBadge>
          {multiple && <NeutralBadge>Multiple values</NeutralBadge>}
        </Group>
        <Text size="sm">
          {held.length === 0 ? 'No values' : `Values for ${formatCountOf(format, held.length, 'member or group')}`}
          {` · Default: ${defaults.length === 0 ? 'none' : describeValues(defaults)}`}
        </Text>
        <Text size="xs" c="dimmed">
          {isUsed ? `Used by ${rules.map(({ name }) => name).join(', ')}` : 'Not used by rules'}
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <Button size="xs" variant="default" onClick={() => onOpen({ kind: 'values', attribute })}>
          Values<span className="only-reader"> of {label}</span>
        </Button>
        <MoreMenu
          label={`Actions for ${label}`}
          items={[
            mayEdit && { label: 'Edit', icon: IconPencil, onClick: () => onOpen({ kind: 'edit', attribute }) },
            mayEdit && {
              label: 'Delete',
              icon: IconTrash,
              c: isUsed ? undefined : 'red',
              disabled: isUsed,
              note: isUsed ? 'Used by rules' : undefined,
              onClick: () => onOpen({ kind: 'delete', attribute }),
            },
          ]}
        />
      </Group>
    </li>
  )
}

function OpenedAttribute({ access, opened, onClose }: { access: DataAccess; opened: OpenDialog; onClose: () => void }) {
  const { kind, attribute } = opened
  if (kind === 'edit') return <AttributeDialog {...{ access, attribute, onClose }} />
  if (kind === 'values') return <AttributeValuesDialog {...{ access, attribute, onClose }} />
  return (
    <PolicyReviewDialog
      {...{ access, onClose, onSaved: onClose }}
      title={`Delete ${attribute.label}?`}
      message="Its values are deleted too."
      change={(policy) => withoutAttribute(policy, attribute.id)}
      submit="Delete attribute"
      saved="Attribute deleted"
    />
  )
}
