import { Button, Group as Row, Stack, Text } from '@mantine/core'
import { formatPersonCount, OUTCOME_LABELS } from './group-words'
import classes from './groups.module.css'
import { NeutralBadge } from '../../ui/quiet-badge'
import type { GroupImportResult, GroupImportLine } from '../../../src/shared/groups'

export interface ImportPreviewProps {
  plan: GroupImportResult
  pending: boolean
  onAdd: () => void
  onBack: () => void
}

/** What would become of every line, before anything is changed. */
export function ImportPreview({ plan, pending, onAdd, onBack }: ImportPreviewProps) {
  const { added, groupsMade, lines } = plan
  const faults = lines.filter(({ outcome }) => OUTCOME_LABELS[outcome].tone === 'bad').length
  const made = groupsMade === 0 ? '' : groupsMade === 1 ? ' 1 group is made.' : ` ${groupsMade} groups are made.`
  const left = faults === 0 ? '' : faults === 1 ? ' 1 line is left out.' : ` ${faults} lines are left out.`
  return (
    <Stack gap="md">
      <Text size="sm" role="status">
        {added === 0 ? 'Nobody would be added.' : added === 1 ? '1 person is added.' : `${added} people are added.`}
        {made}
        {left}
      </Text>
      <div className={classes.outcomes} tabIndex={0} role="region" aria-label="What each line does">
        <ol>
          {lines.map((line) => (
            <ImportLineRow key={line.line} line={line} />
          ))}
        </ol>
      </div>
      <Row justify="space-between">
        <Button variant="default" onClick={onBack}>
          Change the list
        </Button>
        <Button loading={pending} disabled={added === 0} onClick={onAdd} data-autofocus>
          Add {formatPersonCount(added)}
        </Button>
      </Row>
    </Stack>
  )
}

function ImportLineRow({ line: { line, group, email, outcome, newGroup } }: { line: GroupImportLine }) {
  const { words, tone } = OUTCOME_LABELS[outcome]
  return (
    <li className={classes.outcome}>
      <Text span size="xs" c="dimmed">
        Line {line}
      </Text>
      <span>
        <strong>{group === '' ? '–' : group}</strong> {newGroup && <NeutralBadge>New</NeutralBadge>}
        <br />
        {email === '' ? '–' : email}
      </span>
      <span className={classes[tone]}>{words}</span>
    </li>
  )
}
