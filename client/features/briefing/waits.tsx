import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatCountOf } from '../../../src/shared/figures/formatter'
import { bucketLabel, type FormattedColumn } from '../../../src/shared/figures/cell-formatter'
import { joinRange } from '../../../src/shared/figures/figures'
import type {
  Briefing,
  BriefingAlert,
  BriefingForecast,
  BriefingSource,
  WaitingItem,
} from '../../../src/shared/briefing/briefing'
import type { ColumnFormat } from '../../../src/shared/data-sources/files'
import { useCellFormatter } from '../../lib/cell-formatter'
import { useFormat } from '../../lib/format'
import { LinkAnchor } from '../../ui/buttons/links'
import { MutedText } from '../../ui/muted-text'
import { SideSection } from '../../ui/page-rail'
import classes from './briefing.module.css'

const columnOf = (format: ColumnFormat | null): FormattedColumn => ({
  ...{ kind: 'measure', type: 'number' },
  format: format ?? { style: 'plain' },
})

/** What waits for the person, in words. */
export function describeWaiting(item: WaitingItem, count: (n: number) => string): string {
  switch (item.kind) {
    case 'mention':
      return `${item.by} mentioned you on “${item.on}”`
    case 'signOff':
      return `Sign edition ${item.edition} of “${item.report}”`
    case 'ownership':
      return `${item.by} offers you this workspace`
    case 'invitation':
      return `${item.by} invited you to ${item.workspace}. See your email`
    case 'rejectedRows':
      return `${count(item.rows)} ${item.rows === 1 ? 'row' : 'rows'} rejected: ${item.source}`
    case 'earlyAccess':
      return `${item.title} is open for early access`
  }
}

/** Leads to where it can be answered; an invitation is answered from its mail. */
export function WaitingLine({ item }: { item: WaitingItem }) {
  const format = useFormat()
  const words = describeWaiting(item, format.count)
  if (item.kind === 'invitation') return <Text size="sm">{words}</Text>
  return (
    <LinkAnchor to={item.path} size="sm">
      {words}
    </LinkAnchor>
  )
}

const describeAlert = ({ name, groups, label }: BriefingAlert): string =>
  groups > 1 ? `${name}: ${groups} groups` : label === null ? name : `${name}: ${label}`

function AlertLine({ alert }: { alert: BriefingAlert }) {
  const cells = useCellFormatter()
  const format = useFormat()
  const value = alert.groups === 1 && alert.value !== null ? cells.sentence(alert.value, columnOf(alert.format)) : null
  const since = alert.since === null ? null : `since ${format.date(alert.since)}`
  const words = [value, since, alert.acknowledged ? 'acknowledged' : null].filter((one) => one !== null)
  return (
    <li>
      <LinkAnchor to="/alerts/$id" params={{ id: alert.alertId }} size="sm">
        {describeAlert(alert)}
      </LinkAnchor>
      {words.length > 0 && <MutedText size="xs">{words.join(', ')}</MutedText>}
    </li>
  )
}

function ForecastLine({ forecast }: { forecast: BriefingForecast }) {
  const cells = useCellFormatter()
  const { value, lower, upper, level, format, period, grain } = forecast
  const [figure = '', from = '', to = ''] = cells.alikeInSentence([value, lower, upper], columnOf(format))
  return (
    <li>
      <LinkAnchor to="/forecasts/$id" params={{ id: forecast.forecastId }} size="sm">
        {forecast.name}
      </LinkAnchor>
      <MutedText size="xs">
        {`${bucketLabel(period, grain)}: ${figure}, outside ${joinRange(from, to)} (${level} %)`}
      </MutedText>
    </li>
  )
}

function SourceLine({ source }: { source: BriefingSource }) {
  const format = useFormat()
  const failed = source.problem === 'failed' ? 'Import failed' : 'Not updated for over a month'
  return (
    <li>
      <LinkAnchor to="/data-sources/$id" params={{ id: source.sourceId }} size="sm">
        {source.name}
      </LinkAnchor>
      <MutedText size="xs">
        {source.loadedAt === null ? failed : `${failed}; data of ${format.date(source.loadedAt)}`}
      </MutedText>
    </li>
  )
}

const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={classes.rows} aria-label={label}>
    {children}
  </ul>
)

/** What stands beside the findings, each kind where there is something of it. */
export function BriefingRail({ briefing }: { briefing: Briefing }) {
  const { waiting, alerts, forecasts, sources } = briefing
  return (
    <>
      <SideSection title="Waiting for you" isEmpty={waiting.length === 0}>
        <Rows label="Waiting for you">
          {waiting.map((item, at) => (
            <li key={at}>
              <WaitingLine item={item} />
            </li>
          ))}
        </Rows>
      </SideSection>
      <SideSection title="Open alerts" isEmpty={alerts.length === 0}>
        <Rows label="Open alerts">
          {alerts.map((alert) => (
            <AlertLine key={alert.alertId} alert={alert} />
          ))}
        </Rows>
      </SideSection>
      <SideSection title="Outside forecast" isEmpty={forecasts.length === 0}>
        <Rows label="Forecasts outside their interval">
          {forecasts.map((forecast) => (
            <ForecastLine key={forecast.forecastId} forecast={forecast} />
          ))}
        </Rows>
      </SideSection>
      <SideSection title="Sources to check" isEmpty={sources.length === 0}>
        <Rows label="Sources to check">
          {sources.map((source) => (
            <SourceLine key={source.sourceId} source={source} />
          ))}
        </Rows>
      </SideSection>
    </>
  )
}

/** The page of the only one, of several their list. */
const pathOf = (list: string, { length }: readonly unknown[], id: string): string =>
  length === 1 ? `${list}/${id}` : list

/** The same in one line, for the landing page: how many of each, with the way there. */
export function WaitingSummary({ briefing }: { briefing: Briefing }) {
  const format = useFormat()
  const { waiting, alerts, forecasts, sources } = briefing
  const [alert] = alerts
  const [forecast] = forecasts
  const failed = sources.filter(({ problem }) => problem === 'failed')
  if (waiting.length + alerts.length + forecasts.length + failed.length === 0) return null
  return (
    <ul className={classes.waits} aria-label="Waiting for you">
      {alert && (
        <li>
          <LinkAnchor to={pathOf('/alerts', alerts, alert.alertId)} size="sm">
            {alerts.length === 1 ? `Alert: ${alert.name}` : formatCountOf(format, alerts.length, 'open alert')}
          </LinkAnchor>
        </li>
      )}
      {forecast && (
        <li>
          <LinkAnchor to={pathOf('/forecasts', forecasts, forecast.forecastId)} size="sm">
            {forecasts.length === 1
              ? `Outside forecast: ${forecast.name}`
              : `${formatCountOf(format, forecasts.length, 'figure')} outside forecast`}
          </LinkAnchor>
        </li>
      )}
      {failed.map(({ sourceId, name }) => (
        <li key={sourceId}>
          <LinkAnchor to="/data-sources/$id" params={{ id: sourceId }} size="sm">
            {`Import failed: ${name}`}
          </LinkAnchor>
        </li>
      ))}
      {waiting.slice(0, WAITING_SHOWN).map((item, at) => (
        <li key={at}>
          <WaitingLine item={item} />
        </li>
      ))}
      {waiting.length > WAITING_SHOWN && (
        <li>
          <LinkAnchor to="/pilot" size="sm">
            {`${format.count(waiting.length - WAITING_SHOWN)} more`}
          </LinkAnchor>
        </li>
      )}
    </ul>
  )
}
const WAITING_SHOWN = 2
