import { Group, Radio, SegmentedControl, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import type { DataAccess } from '../../../src/shared/data-access/data-access'
import { COLUMN_GRANTS, type AccessResource, type AccessSubject } from '../../../src/shared/data-access/rules'
import { humanizeLabel } from '../../../src/shared/text'
import { visibleColumns, type BuilderDataset } from '../../lib/query-builder/catalogue'
import { AddButton } from '../../ui/buttons/add-button'
import { IconButton } from '../../ui/buttons/icon-button'
import { GRANT_HINTS, GRANT_LABELS, RESOURCE_LABELS } from './access-text'
import type { AccessNames } from './access-names'
import classes from './data-access.module.css'
import { RuleConditions } from './rule-conditions'
import { withResource, type RuleDraft, type RuleProblems } from './rule-draft'
import { newRuleFilter } from './rule-filter-draft'

export interface RuleFieldsProps {
  draft: RuleDraft
  problems: RuleProblems
  /** Whose columns can be named; null while none is chosen, or for what has no columns. */
  dataset: BuilderDataset | null
  names: AccessNames
  access: DataAccess
  onChange: (draft: RuleDraft) => void
}

export function RuleFields(props: RuleFieldsProps) {
  const { draft, problems, onChange } = props
  return (
    <>
      <TextInput
        data-autofocus
        label="Name"
        placeholder="Own region only"
        maxLength={80}
        value={draft.name}
        error={problems.name}
        onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
      />
      <SubjectFields {...props} />
      <ResourceFields {...props} />
      <EffectFields {...props} />
      {draft.resource.kind === 'dataset' && draft.resource.id !== null && <ColumnGrantFields {...props} />}
      <Switch
        label="Active"
        checked={draft.active}
        onChange={(event) => onChange({ ...draft, active: event.currentTarget.checked })}
      />
    </>
  )
}

/** A kind, and one thing of that kind beside it. */
const FieldPair = ({ children }: { children: ReactNode }) => <div className={classes.pair}>{children}</div>

const SUBJECT_KINDS = [
  { value: 'everyone', label: 'Everyone' },
  { value: 'role', label: 'Role' },
  { value: 'group', label: 'Group' },
  { value: 'member', label: 'Member' },
] as const satisfies { value: AccessSubject['kind']; label: string }[]

function SubjectFields({ draft, problems, names, onChange }: RuleFieldsProps) {
  const { kind, value } = draft.subject
  return (
    <FieldPair>
      <Select
        label="Applies to"
        data={SUBJECT_KINDS}
        value={kind}
        onChange={(next) => next && onChange({ ...draft, subject: { kind: next, value: null } })}
      />
      {kind !== 'everyone' && (
        <Select
          label={SUBJECT_KINDS.find((one) => one.value === kind)?.label}
          data={names.choices[kind]}
          value={value}
          searchable
          nothingFoundMessage="No match"
          placeholder={`Choose a ${kind}`}
          error={problems.subject}
          onChange={(next) => onChange({ ...draft, subject: { kind, value: next } })}
        />
      )}
    </FieldPair>
  )
}

const RESOURCE_KINDS = (['dataset', 'source', 'metric', 'category'] as const satisfies AccessResource['kind'][]).map(
  (value) => ({ value, label: RESOURCE_LABELS[value] }),
)

function ResourceFields({ draft, problems, names, access, onChange }: RuleFieldsProps) {
  const { kind, id } = draft.resource
  const set = (resource: RuleDraft['resource']): void => onChange(withResource(draft, resource, access.policy))
  return (
    <>
      <FieldPair>
        <Select
          label="Data"
          data={RESOURCE_KINDS}
          value={kind}
          onChange={(next) => next && set({ kind: next, id: null })}
        />
        <Select
          label={RESOURCE_LABELS[kind]}
          data={names.choices[kind]}
          value={id}
          searchable
          nothingFoundMessage="No match"
          placeholder={`Choose a ${RESOURCE_LABELS[kind].toLowerCase()}`}
          error={problems.resource}
          onChange={(next) => set({ kind, id: next })}
        />
      </FieldPair>
      {(kind === 'dataset' || kind === 'metric') && id !== null && (
        <StanceField restricted={draft.restricted} onChange={(restricted) => onChange({ ...draft, restricted })} />
      )}
    </>
  )
}

export const STANCES = [
  { value: 'open', label: 'Open' },
  { value: 'restricted', label: 'Restricted' },
] as const

export const STANCE_HINTS: Record<(typeof STANCES)[number]['value'], string> = {
  open: 'All members, unless a rule says otherwise',
  restricted: 'Only people that a rule allows',
}

/** Who sees it that no rule is about. */
function StanceField({ restricted, onChange }: { restricted: boolean; onChange: (restricted: boolean) => void }) {
  const id = useId()
  return (
    <div>
      <Text size="sm" fw={550} id={id} mb={5}>
        Default
      </Text>
      <Group gap="sm">
        <SegmentedControl
          aria-labelledby={id}
          data={[...STANCES]}
          value={restricted ? 'restricted' : 'open'}
          onChange={(value) => onChange(value === 'restricted')}
        />
        <Text size="xs" c="dimmed">
          {STANCE_HINTS[restricted ? 'restricted' : 'open']}
        </Text>
      </Group>
    </div>
  )
}

const EFFECTS = [
  { value: 'allow', label: 'Allow' },
  { value: 'hide', label: 'Hide' },
] as const

function EffectFields({ draft, problems, dataset, names, onChange }: RuleFieldsProps) {
  const id = useId()
  const { effect, rows, resource } = draft
  const isAboutRows = resource.kind === 'dataset'
  return (
    <div>
      <Text size="sm" fw={550} id={id} mb={5}>
        Effect
      </Text>
      <SegmentedControl
        aria-labelledby={id}
        data={EFFECTS.map((one) => ({ ...one, disabled: resource.kind === 'category' && one.value === 'allow' }))}
        value={effect}
        onChange={(next) => onChange({ ...draft, effect: next })}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {effect === 'hide' ? 'Hide wins over Allow.' : 'Several Allow rules add up.'}
      </Text>
      {isAboutRows && resource.id !== null && (
        <Radio.Group
          mt="md"
          label="Rows"
          value={rows}
          onChange={(next) => {
            if (next === 'all' || next === 'unchanged') onChange({ ...draft, rows: next })
            if (next === 'some')
              onChange({
                ...draft,
                rows: next,
                filters: draft.filters.length === 0 ? [newRuleFilter()] : draft.filters,
              })
          }}
        >
          <Stack gap={8}>
            <Radio value="all" label="All rows" />
            <Radio value="some" label="Rows where…" />
            {rows === 'some' && dataset && (
              <RuleConditions
                {...{ dataset, names }}
                filters={draft.filters}
                error={problems.filters}
                onChange={(filters) => onChange({ ...draft, filters })}
              />
            )}
            <Radio value="unchanged" label="Columns only" />
          </Stack>
        </Radio.Group>
      )}
    </div>
  )
}

/** What is left of single columns. */
function ColumnGrantFields({ draft, problems, dataset, onChange }: RuleFieldsProps) {
  const id = useId()
  const { columns, effect } = draft
  const named = dataset ? visibleColumns(dataset) : []
  const grants = COLUMN_GRANTS.filter((grant) => effect === 'allow' || grant !== 'show')
  const set = (next: RuleDraft['columns']): void => onChange({ ...draft, columns: next })
  return (
    <div role="group" aria-labelledby={id}>
      <Text size="sm" fw={550} id={id} mb={5}>
        Columns
      </Text>
      <Stack gap="xs">
        {columns.map((column, at) => (
          <Group key={at} gap="xs" wrap="nowrap" align="flex-start">
            <Select
              aria-label="Column"
              placeholder="Choose a column"
              searchable
              nothingFoundMessage="No match"
              data={named.map(({ key, label }) => ({ value: key, label: humanizeLabel(label) }))}
              value={column.key}
              style={{ flex: '1 1 0', minWidth: 0 }}
              onChange={(next) =>
                set(columns.with(at, { ...column, key: named.find(({ key }) => key === next)?.key ?? null }))
              }
            />
            <Select
              aria-label="What is shown"
              data={grants.map((grant) => ({ value: grant, label: GRANT_LABELS[grant] }))}
              value={column.grant}
              style={{ flex: '1 1 0', minWidth: 0 }}
              description={GRANT_HINTS[column.grant]}
              inputWrapperOrder={['input', 'description', 'error']}
              onChange={(grant) => grant && set(columns.with(at, { ...column, grant }))}
            />
            <IconButton
              icon={IconTrash}
              label="Remove column"
              onClick={() => set(columns.filter((_, other) => other !== at))}
            />
          </Group>
        ))}
        {problems.columns !== undefined && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {problems.columns}
          </Text>
        )}
        <AddButton label="Add column" onClick={() => set([...columns, { key: null, grant: 'empty' }])} />
      </Stack>
    </div>
  )
}
