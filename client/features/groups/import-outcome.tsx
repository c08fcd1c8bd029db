import { Button, Group as Row, Stack, Text } from '@mantine/core'
import { countWords, OUTCOMES } from './group-words'
import classes from './groups.module.css'
import { QuietBadge } from '../../ui/quiet-badge'
import type { ImportAnswer, ImportLine } from '../../../src/shared/groups'

export interface ImportOutcomeProps {
  plan: ImportAnswer
  pending: boolean
  onAdd: () => void
  onBack: () => void
}

/** What would become of every line, before anything is changed. */
export function ImportOutcome({ plan, pending, onAdd, onBack }: ImportOutcomeProps) {
  const { added, groupsMade, lines } = plan
  const faults = lines.filter(({ outcome }) => OUTCOMES[outcome].tone === 'bad').length
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
            <Outcome key={line.line} line={line} />
          ))}
        </ol>
      </div>
      <Row justify="space-between">
        <Button variant="default" onClick={onBack}>
          Change the list
        </Button>
        <Button loading={pending} disabled={added === 0} onClick={onAdd} data-autofocus>
          Add {countWords(added)}
        </Button>
      </Row>
    </Stack>
  )
}

function Outcome({ line: { line, group, email, outcome, newGroup } }: { line: ImportLine }) {
  const { words, tone } = OUTCOMES[outcome]
  return (
    <li className={classes.outcome}>
      <Text span size="xs" c="dimmed">
        Line {line}
      </Text>
      <span>
        <strong>{group === '' ? '–' : group}</strong> {newGroup && <QuietBadge>New</QuietBadge>}
        <br />
        {email === '' ? '–' : email}
      </span>
      <span className={classes[tone]}>{words}</span>
    </li>
  )
}
