import { Button, Collapse, Group, List, Stack, Text, Textarea, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconHelpCircle, IconMathFunction } from '@tabler/icons-react'
import { useRef, useState, type ChangeEvent, type KeyboardEvent } from 'react'
import { TEXT_BLOCK_MAX_CHARS } from '../../../../src/shared/reports/blocks'
import { TOKEN_PERIODS, tokensOf } from '../../../../src/shared/reports/text-tokens'
import { nameKey } from '../../../../src/shared/field-schemas'
import { MutedText } from '../../../ui/muted-text'
import classes from './editor.module.css'
import { usePickableMetrics } from './pickable'
import { completionsAt, type Completion } from './token-completion'

interface TokenTextProps {
  label: string
  value: string
  onChange: (text: string) => void
  minRows?: number
  maxLength?: number
}

/** A text with figures in it: `{{` offers metrics, and after `|` periods and ways to write them. */
export function TokenText({ label, value, onChange, minRows = 6, maxLength = TEXT_BLOCK_MAX_CHARS }: TokenTextProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const metrics = usePickableMetrics()
  const [caret, setCaret] = useState<number | null>(null)
  const names = metrics.items.map(({ name }) => name)
  const offered = caret === null ? null : completionsAt(value, caret, names)
  const take = ({ text, from }: Completion): void => {
    const at = from + text.length
    onChange(`${value.slice(0, from)}${text}${value.slice(caret ?? value.length)}`)
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(at, at)
      setCaret(at)
    })
  }
  const insert = (): void => {
    const at = area.current?.selectionStart ?? value.length
    onChange(`${value.slice(0, at)}{{metric.${value.slice(at)}`)
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(at + 9, at + 9)
      setCaret(at + 9)
    })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const [first] = offered ?? []
    if (event.key === 'Tab' && first && !event.shiftKey) {
      event.preventDefault()
      take(first)
    } else if (event.key === 'Escape' && offered) setCaret(null)
  }
  const onSelect = ({ currentTarget }: ChangeEvent<HTMLTextAreaElement>): void => setCaret(currentTarget.selectionStart)
  return (
    <Stack gap={6}>
      <Textarea
        ref={area}
        label={label}
        value={value}
        maxLength={maxLength}
        autosize
        minRows={minRows}
        maxRows={18}
        error={tokenProblem(value, metrics.isPending ? null : metrics.items)}
        onChange={(event) => {
          onChange(event.currentTarget.value)
          setCaret(event.currentTarget.selectionStart)
        }}
        onSelect={onSelect}
        onKeyDown={onKeyDown}
      />
      {offered && offered.length > 0 && (
        <ul className={classes.found} aria-label="Suggestions" style={{ maxHeight: 190 }}>
          {offered.map((one) => (
            <li key={one.label}>
              <UnstyledButton className={classes.foundItem} onClick={() => take(one)}>
                {one.label}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
      <Group gap="xs">
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconMathFunction size={14} aria-hidden />}
          onClick={insert}
        >
          Insert figure
        </Button>
      </Group>
    </Stack>
  )
}

/** What of a text would keep the report from being published; undefined where nothing would. */
export function tokenProblem(
  text: string,
  metrics: readonly { name: string; synonyms: readonly string[] }[] | null,
): string | undefined {
  const known = metrics && new Set(metrics.flatMap(({ name, synonyms }) => [name, ...synonyms].map(nameKey)))
  for (const token of tokensOf(text)) {
    if (token.kind === 'unknown') return `Unknown: ${token.raw}`
    if (token.kind === 'figure' && known && !known.has(token.metric)) return `Metric not found: ${token.raw}`
  }
  return undefined
}

/** What can be written into a text. */
export function TextHelp() {
  const [opened, { toggle }] = useDisclosure(false)
  return (
    <div>
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconHelpCircle size={14} aria-hidden />}
        onClick={toggle}
        aria-expanded={opened}
      >
        Formatting
      </Button>
      <Collapse expanded={opened}>
        <List size="xs" spacing={4} mt={6}>
          <List.Item>
            <code># Heading</code>, <code>- list item</code>, <code>**bold**</code>
          </List.Item>
          <List.Item>
            <code>{'{{metric.Revenue}}'}</code>: the figure for the report’s period
          </List.Item>
          <List.Item>
            <code>{'{{metric.Revenue|last_month|vs:last_year|percent}}'}</code>: its change
          </List.Item>
          <List.Item>
            <code>{'{{period}}'}</code>, <code>{'{{today}}'}</code>: dates
          </List.Item>
        </List>
        <MutedText size="xs" mt={6}>
          Periods: {Object.keys(TOKEN_PERIODS).join(', ')}
        </MutedText>
        <Text size="xs" c="dimmed">
          Formats: short, full, percent
        </Text>
      </Collapse>
    </div>
  )
}
