import { Badge, Button, Group, Stack, Switch, Text } from '@mantine/core'
import { IconCopy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { DataAccess } from '../../../src/shared/data-access/data-access'
import { ACCESS_RULES_MAX, type AccessPolicy, type AccessRule } from '../../../src/shared/data-access/rules'
import { hasKeptDraft } from '../../lib/writes/kept-draft'
import { EmptyState } from '../../ui/empty-state'
import { MoreMenu } from '../../ui/buttons/more-menu'
import { TableSkeleton } from '../../ui/skeletons'
import { SearchField } from '../../ui/forms/search-field'
import { useAccessNames, type AccessNames } from './access-names'
import { ruleVerb } from './access-text'
import classes from './data-access.module.css'
import { PolicyReviewDialog } from './policy-review'
import { useMayEditAccess } from './policy-saving'
import { RuleDialog } from './rule-dialog'
import { withoutRule } from './rule-draft'
import { SensitiveColumns } from './sensitive-columns'

type OpenDialog = { kind: 'edit'; rule: AccessRule | null } | { kind: 'delete' | 'toggle' | 'copy'; rule: AccessRule }

/** Every rule in words, with what can be done with it. */
export function RulesTab({ access }: { access: DataAccess }) {
  const { rules } = access.policy
  const mayEdit = useMayEditAccess(access)
  const names = useAccessNames()
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState<OpenDialog | null>(() =>
    mayEdit && hasKeptDraft('access-rule:new') ? { kind: 'edit', rule: null } : null,
  )
  const typed = search.trim().toLocaleLowerCase()
  const shown = rules.filter((rule) => ruleText(rule, names).toLocaleLowerCase().includes(typed))
  const create = mayEdit && rules.length < ACCESS_RULES_MAX && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpened({ kind: 'edit', rule: null })}>
      Create rule
    </Button>
  )
  return (
    <Stack gap="md">
      {rules.length === 0 ? (
        <EmptyState
          picture="locked"
          title="No rules yet"
          sentence="Everyone sees all data. Rules limit rows and columns."
          action={create}
        />
      ) : (
        <>
          <Group gap="sm" justify="space-between">
            <SearchField label="Search rules" value={search} onChange={setSearch} className={classes.search} />
            {create}
          </Group>
          {!names.isPending && shown.length === 0 && (
            <EmptyState picture="search" title={`No rules match “${search.trim()}”`} />
          )}
          {names.isPending && <TableSkeleton count={rules.length} />}
          {!names.isPending && shown.length > 0 && (
            <ul className={`surface ${classes.list}`} aria-label="Rules">
              {shown.map((rule) => (
                <RuleItem key={rule.id} {...{ rule, names, mayEdit }} onOpen={setOpened} />
              ))}
            </ul>
          )}
        </>
      )}
      {mayEdit && <SensitiveColumns access={access} />}
      {opened && <OpenedRule access={access} opened={opened} onClose={() => setOpened(null)} />}
    </Stack>
  )
}

const ruleText = (rule: AccessRule, names: AccessNames): string =>
  [rule.name, names.subject(rule.subject), names.resource(rule.resource), names.rows(rule), names.columns(rule)].join(
    ' ',
  )

interface RuleItemProps {
  rule: AccessRule
  names: AccessNames
  mayEdit: boolean
  onOpen: (opened: OpenDialog) => void
}

function RuleItem({ rule, names, mayEdit, onOpen }: RuleItemProps) {
  const { name, active } = rule
  const verb = ruleVerb(rule)
  const rows = names.rows(rule)
  const columns = names.columns(rule)
  return (
    <li className={classes.item}>
      <div className={classes.words}>
        <Group gap="xs">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Badge size="sm" color={verb.color}>
            {verb.label}
          </Badge>
          {!active && (
            <Badge size="sm" variant="default" fw={500}>
              Inactive
            </Badge>
          )}
        </Group>
        <Text size="sm">
          {names.subject(rule.subject)} · {names.resource(rule.resource)}
        </Text>
        {rows !== null && (
          <Text size="xs" c="dimmed">
            {rows}
          </Text>
        )}
        {columns !== '' && (
          <Text size="xs" c="dimmed">
            {columns}
          </Text>
        )}
      </div>
      {mayEdit && (
        <Group gap="xs" wrap="nowrap">
          <Switch aria-label={`${name} active`} checked={active} onChange={() => onOpen({ kind: 'toggle', rule })} />
          <MoreMenu
            label={`Actions for ${name}`}
            items={[
              { label: 'Edit', icon: IconPencil, onClick: () => onOpen({ kind: 'edit', rule }) },
              { label: 'Duplicate', icon: IconCopy, onClick: () => onOpen({ kind: 'copy', rule }) },
              { label: 'Delete', icon: IconTrash, c: 'red', onClick: () => onOpen({ kind: 'delete', rule }) },
            ]}
          />
        </Group>
      )}
    </li>
  )
}

const withActive =
  (id: string, active: boolean) =>
  (policy: AccessPolicy): AccessPolicy => ({
    ...policy,
    rules: policy.rules.map((rule) => (rule.id === id ? { ...rule, active } : rule)),
  })
/** Beside the rule that it is a copy of, off until somebody turns it on. */
const withCopy = (rule: AccessRule) => (policy: AccessPolicy) => {
  const { id: _id, ...copy } = rule
  return { ...policy, rules: [...policy.rules, { ...copy, name: `${rule.name} (copy)`.slice(-80), active: false }] }
}

function OpenedRule({ access, opened, onClose }: { access: DataAccess; opened: OpenDialog; onClose: () => void }) {
  const { kind, rule } = opened
  if (kind === 'edit') return <RuleDialog {...{ access, rule, onClose }} />
  const dialog = { access, onClose, onSaved: onClose }
  if (kind === 'copy')
    return (
      <PolicyReviewDialog
        {...dialog}
        title={`Duplicate ${rule.name}?`}
        message="The copy is inactive until you turn it on."
        change={withCopy(rule)}
        submit="Duplicate rule"
        saved="Rule duplicated"
      />
    )
  if (kind === 'delete')
    return (
      <PolicyReviewDialog
        {...dialog}
        title={`Delete ${rule.name}?`}
        message="You can restore it from the history."
        change={(policy) => withoutRule(policy, rule.id)}
        submit="Delete rule"
        saved="Rule deleted"
      />
    )
  return (
    <PolicyReviewDialog
      {...dialog}
      title={rule.active ? `Turn off ${rule.name}?` : `Turn on ${rule.name}?`}
      change={withActive(rule.id, !rule.active)}
      submit={rule.active ? 'Turn off rule' : 'Turn on rule'}
      saved={rule.active ? 'Rule turned off' : 'Rule turned on'}
    />
  )
}
