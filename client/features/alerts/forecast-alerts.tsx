import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconBellPlus } from '@tabler/icons-react'
import { useMayNow } from '../../lib/gate'
import { SectionCard } from '../../ui/section-card'
import { AlertDialog } from './alert-dialog'
import { AlertLine } from './alert-line'
import classes from './alerts.module.css'
import type { BandChoice } from './band-fields'
import { alertsQuery } from './queries'

/** The alerts on the band of one forecast, on its page. */
export function ForecastAlerts({ forecast }: { forecast: BandChoice }) {
  const { subject } = forecast
  const alerts = useInfiniteQuery(
    alertsQuery(subject.kind === 'insight' ? { insight: subject.id } : { metric: subject.id }),
  )
  const may = useMayNow('edit:alert')
  const [making, dialog] = useDisclosure(false)
  const items = (alerts.data?.pages ?? [])
    .flatMap((page) => page.items)
    .filter(({ condition }) => condition.kind === 'band' && condition.forecastId === forecast.id)
  if (!alerts.data || (items.length === 0 && !may)) return null
  return (
    <SectionCard title="Alerts">
      <Stack gap="sm">
        {items.length === 0 ? (
          <Text size="sm" c="dimmed">
            Nobody is told when what comes leaves the band.
          </Text>
        ) : (
          <ul className={classes.list} aria-label="Alerts on this forecast">
            {items.map((alert) => (
              <AlertLine key={alert.id} alert={alert} />
            ))}
          </ul>
        )}
        {may && (
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconBellPlus size={14} aria-hidden />}
              onClick={dialog.open}
            >
              Alert me
            </Button>
          </Group>
        )}
      </Stack>
      {making && <AlertDialog alert={null} forecast={forecast} onClose={dialog.close} />}
    </SectionCard>
  )
}
