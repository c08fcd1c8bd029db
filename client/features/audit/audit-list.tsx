import { ActionIcon, Button, Code, CopyButton, Text, Tooltip, Stack, Title } from '@mantine/core'
import { IconCheck, IconChevronDown, IconChevronUp, IconCopy } from '@tabler/icons-react'
import { useId, useState, type ReactNode } from 'react'
import { countryName } from '../../lib/regions'
import { shortId, formatTime, groupByDay, type AuditDay } from './audit-format'
import classes from './audit.module.css'
import { useAuditFilter } from './audit-filter'
import type { AuditItem } from '../../../src/shared/audit'
import { useFormat } from '../../lib/format'
import { useSession } from '../../lib/session'

/** One line in words; what machines say of it on demand. */
function AuditEntryRow({ item, timeZone }: { item: AuditItem; timeZone: string }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const who = item.actor?.name ?? 'Insikt'
  const time = formatTime(item.at, timeZone)
  return (
    <li className={classes.line}>
      <div className={classes.words}>
        <Text size="sm">
          <strong>{who}</strong> {item.words}
        </Text>
        <time dateTime={item.at} className={classes.time}>
          {time}
        </time>
      </div>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        aria-expanded={open}
        aria-controls={id}
        aria-label={`Details: ${who} ${item.words}, ${time}`}
        rightSection={open ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
        onClick={() => setOpen(!open)}
      >
        Details
      </Button>
      <div id={id} hidden={!open} className={classes.details}>
        {open && <AuditEntryDetails item={item} />}
      </div>
    </li>
  )
}

function AuditEntryDetails({ item }: { item: AuditItem }) {
  const { filter, setFilter } = useAuditFilter()
  const { actor, action, entity, entityId, beforeHash, afterHash, country } = item
  return (
    <>
      <dl className={classes.facts}>
        <DetailField name="Action">
          <Code>{action}</Code>
        </DetailField>
        <DetailField name="Item">
          {entity.replaceAll('_', ' ')} <CopyableText text={entityId} what="ID" />
        </DetailField>
        {actor && (
          <DetailField name="Person">
            <CopyableText text={actor.userId} what="person ID" />
          </DetailField>
        )}
        {country !== null && <DetailField name="Country">{countryName(country)}</DetailField>}
        {beforeHash !== null && (
          <DetailField name="Hash before">
            <CopyableText text={beforeHash} what="hash before" />
          </DetailField>
        )}
        {afterHash !== null && (
          <DetailField name="Hash after">
            <CopyableText text={afterHash} what="hash after" />
          </DetailField>
        )}
      </dl>
      {filter.entityId !== entityId && (
        <Button size="compact-xs" variant="subtle" onClick={() => setFilter({ entityId })}>
          Filter by this item
        </Button>
      )}
    </>
  )
}

function DetailField({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The beginning of a long id, and the whole of it to take along. */
function CopyableText({ text, what }: { text: string; what: string }) {
  return (
    <span className={classes.copied}>
      <Code>{shortId(text)}</Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'}>
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              onClick={copy}
              aria-label={copied ? 'Copied' : `Copy ${what}`}
            >
              {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </span>
  )
}

/** The lines under their days, on the workspace's clock. */
export function AuditList({ items }: { items: readonly AuditItem[] }) {
  const timeZone = useSession().workspace?.settings.timeZone ?? 'UTC'
  return (
    <Stack gap="lg">
      {groupByDay(items, timeZone).map((day) => (
        <AuditDaySection key={day.day} day={day} timeZone={timeZone} />
      ))}
      <Text size="xs" c="dimmed">
        Times in {timeZone.replaceAll('_', ' ')}
      </Text>
    </Stack>
  )
}

function AuditDaySection({ day: { day, items }, timeZone }: { day: AuditDay; timeZone: string }) {
  const id = useId()
  const format = useFormat()
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id} mb="xs">
        {format.date(day)}
      </Title>
      <ul className={`surface ${classes.list}`}>
        {items.map((item) => (
          <AuditEntryRow key={item.id} item={item} timeZone={timeZone} />
        ))}
      </ul>
    </section>
  )
}
