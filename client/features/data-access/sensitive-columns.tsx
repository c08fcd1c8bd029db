import { Button, Text } from '@mantine/core'
import { MultiSelect } from '../../ui/forms/multi-select'
import { IconPassword } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccessPolicyInput, DataAccess, SensitiveColumn } from '../../../src/shared/data-access/data-access'
import type { AccessPolicy, AccessRuleInput, AccessSubject, ColumnGrant } from '../../../src/shared/data-access/rules'
import { columnKeySchema } from '../../../src/shared/data-sources/files'
import { ROLES } from '../../../src/shared/permissions'
import { capitalize, humanizeLabel } from '../../../src/shared/text'
import { useMay } from '../../lib/gate'
import { Dialog } from '../../ui/dialog'
import { SectionCard } from '../../ui/section-card'
import { useAccessNames } from './access-names'
import { GRANT_LABELS } from './access-text'
import classes from './data-access.module.css'
import { useMayEditAccess } from './policy-saving'
import { dataAccessQuery, sensitiveColumnsQuery } from './queries'
import { ReviewSteps } from './review-steps'

const KIND_LABELS: Record<SensitiveColumn['kind'], string> = {
  personalNumber: 'Personal numbers',
  salary: 'Salaries',
  email: 'Email addresses',
  phone: 'Phone numbers',
  bankAccount: 'Bank accounts',
}

/** On the page of a dataset that was imported: its private columns, for who manages data access. */
export function DatasetSensitiveColumns({ dataset }: { dataset: string }) {
  const may = useMay('view:access')
  const access = useQuery({ ...dataAccessQuery(), enabled: may })
  if (!may || !access.data) return null
  return <SensitiveColumns access={access.data} dataset={dataset} />
}

/** Columns that look private and that no rule covers: each is masked in one click. */
export function SensitiveColumns({ access, dataset }: { access: DataAccess; dataset?: string }) {
  const mayEdit = useMayEditAccess(access)
  const found = useQuery({ ...sensitiveColumnsQuery(dataset), enabled: mayEdit })
  const [chosen, setChosen] = useState<SensitiveColumn | null>(null)
  const offered = found.data ?? []
  if (!mayEdit || (offered.length === 0 && chosen === null)) return null
  return (
    <SectionCard boxed title="Sensitive columns" description="Visible to everyone who sees the dataset.">
      <ul className={classes.values} aria-label="Sensitive columns">
        {offered.map((one) => (
          <li key={`${one.dataset.id}/${one.column.key}`} className={classes.offer}>
            <span className={classes.words}>
              <Text span fw={600} size="sm">
                {humanizeLabel(one.column.label)}
              </Text>{' '}
              <Text span size="sm">
                in {one.dataset.name} · {KIND_LABELS[one.kind]}
              </Text>
            </span>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPassword size={14} aria-hidden />}
              onClick={() => setChosen(one)}
            >
              Mask for everyone except…
              <span className="only-reader"> {humanizeLabel(one.column.label)}</span>
            </Button>
          </li>
        ))}
      </ul>
      {chosen && <MaskDialog access={access} column={chosen} onClose={() => setChosen(null)} />}
    </SectionCard>
  )
}

/** A mask for everyone, and the values for some groups and roles: the most open grant counts. */
function maskRules({ dataset, column, mask }: SensitiveColumn, exempted: readonly ExemptSubject[]) {
  const label = humanizeLabel(column.label)
  const ruleOf = (name: string, subject: AccessSubject, grant: ColumnGrant): AccessRuleInput => ({
    ...{ name: name.slice(0, 80), subject, resource: { kind: 'dataset', id: dataset.id } },
    ...{ effect: 'allow', rows: 'unchanged', filters: [], active: true },
    columns: [{ key: columnKeySchema.parse(column.key), grant }],
  })
  const rules = [
    ruleOf(`Mask ${label}`, { kind: 'everyone' }, mask),
    ...exempted.map(({ subject, name }) => ruleOf(`${label} for ${name}`, subject, 'show')),
  ]
  return (policy: AccessPolicy): AccessPolicyInput => ({ ...policy, rules: [...policy.rules, ...rules] })
}

/** Who sees the values. */
interface ExemptSubject {
  subject: AccessSubject
  name: string
}

/** Groups, and roles. */
function useExemptChoices() {
  const { choices } = useAccessNames()
  const known: (ExemptSubject & { value: string })[] = [
    ...choices.group.map(({ value, label }) => ({
      value,
      name: label,
      subject: { kind: 'group' as const, id: value },
    })),
    ...ROLES.map((role) => ({ value: role, name: `${capitalize(role)}s`, subject: { kind: 'role' as const, role } })),
  ]
  const items = (kind: AccessSubject['kind']) =>
    known.filter(({ subject }) => subject.kind === kind).map(({ value, name }) => ({ value, label: name }))
  const data = [
    { group: 'Groups', items: items('group') },
    { group: 'Roles', items: items('role') },
  ]
  return { known, data }
}

interface MaskDialogProps {
  access: DataAccess
  column: SensitiveColumn
  onClose: () => void
}

function MaskDialog({ access, column, onClose }: MaskDialogProps) {
  const { known, data } = useExemptChoices()
  // Somebody has to see all data.
  const [exempted, setExempted] = useState<string[]>(['owner'])
  const chosen = known.filter(({ value }) => exempted.includes(value))
  return (
    <Dialog opened onClose={onClose} title={`Mask ${humanizeLabel(column.column.label)}`} size="lg">
      <ReviewSteps
        {...{ access, onClose }}
        change={chosen.length > 0 ? maskRules(column, chosen) : null}
        ask="Review impact"
        save="Create rules"
        saved="Rules created"
      >
        <Text size="sm">
          Everyone else sees: <strong>{GRANT_LABELS[column.mask].toLowerCase()}</strong>
        </Text>
        <MultiSelect
          label="Except"
          placeholder={exempted.length === 0 ? 'Choose groups or roles' : ''}
          data={data}
          value={exempted}
          searchable
          nothingFoundMessage="No match"
          onChange={setExempted}
        />
      </ReviewSteps>
    </Dialog>
  )
}
