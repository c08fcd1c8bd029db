import { Button, Group, Stack, Text } from '@mantine/core'
import classes from './bot.module.css'
import type { BotSlots } from './bot-slots'
import { LinkButton } from '../../ui/buttons/links'
import type { BotNextStep } from '../../../src/shared/bot/interpretation'

/** Leads to where a question is answered that no figure answers by itself. */
export function WayCard({ reply, slots, readOnly }: { reply: BotNextStep; slots: BotSlots; readOnly: boolean }) {
  const { words, definition, reading, way } = reply
  const items = reading && !readOnly ? slots.menuItems(reading).filter((item) => item !== false) : []
  const fitting = items.filter(({ label }) => label === LABEL_OF[way])
  return (
    <div className={`surface ${classes.answer}`}>
      <Stack gap="sm">
        <Text fw={600}>{words}</Text>
        {definition !== undefined && <Text>{definition}</Text>}
        <Group gap="xs">
          <ThingLink reply={reply} />
          {fitting.map(({ label, onClick }) => (
            <Button key={label} onClick={onClick}>
              {label}
            </Button>
          ))}
        </Group>
      </Stack>
    </div>
  )
}

/** What of an answer's actions a question asks for. */
const LABEL_OF: Partial<Record<BotNextStep['way'], string>> = { forecast: 'Forecast it', alert: 'Alert me' }

function ThingLink({ reply: { thing } }: { reply: BotNextStep }) {
  if (!thing) return null
  const { id, name } = thing
  const look = { variant: 'default' } as const
  switch (thing.kind) {
    case 'forecast':
      return (
        <LinkButton {...look} to="/forecasts/$id" params={{ id }}>
          Open {name}
        </LinkButton>
      )
    case 'alert':
      return (
        <LinkButton {...look} to="/alerts/$id" params={{ id }}>
          Open {name}
        </LinkButton>
      )
    case 'metric':
    case 'target':
      return (
        <LinkButton {...look} to="/metrics/$id" params={{ id }}>
          Open {name}
        </LinkButton>
      )
    case 'dataset':
    case 'column':
      return (
        <LinkButton {...look} to="/data-sources">
          Open data sources
        </LinkButton>
      )
    case 'term':
      return null
  }
}
