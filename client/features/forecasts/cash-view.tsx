import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCoins } from '@tabler/icons-react'
import { useState } from 'react'
import type { ForecastResult } from '../../../src/shared/forecast-result'
import type { Forecast } from '../../../src/shared/forecasts'
import { FormError } from '../../ui/form-error'
import { useUpdateForecast } from './queries'
import { forecastUpdate } from './settings-of'
import { useToday } from './use-line'

interface CashBalanceProps {
  forecast: Forecast
  result: ForecastResult
  /** Adds a level that matters to the work on the page. */
  onFloor: (floor: number) => void
}

/** Offers to show movements as the balance that they add up to. Nothing where it is one, or where figures do not add up. */
export function CashBalanceButton({ forecast, result, onFloor }: CashBalanceProps) {
  const [asking, dialog] = useDisclosure(false)
  if (result.balance || forecast.accumulate !== null || result.additive === false) return null
  if (result.format.style !== 'currency') return null
  return (
    <>
      <Button size="xs" variant="default" leftSection={<IconCoins size={14} aria-hidden />} onClick={dialog.open}>
        Show as cash balance
      </Button>
      {asking && <CashBalanceDialog {...{ forecast, result, onFloor }} onClose={dialog.close} />}
    </>
  )
}

const numberOf = (typed: number | string): number | null => {
  const number = typed === '' ? Number.NaN : Number(typed)
  return Number.isFinite(number) ? number : null
}

/** A balance that is entered is that of this morning: what moved since the forecast begins is taken off by the server. */
function toAccumulate(typed: number | string, today: string): NonNullable<Forecast['accumulate']> {
  const opening = numberOf(typed)
  return { opening, on: opening === null ? null : today }
}

function CashBalanceDialog({ forecast, result, onFloor, onClose }: CashBalanceProps & { onClose: () => void }) {
  const [opening, setOpening] = useState<number | string>('')
  const [floor, setFloor] = useState<number | string>(0)
  const today = useToday()
  const saving = useUpdateForecast()
  const suffix = result.format.style === 'currency' ? `\u00a0${result.format.currency}` : ''
  const shared = { suffix, thousandSeparator: '\u00a0', hideControls: true }
  return (
    <Modal opened onClose={onClose} title="Show as cash balance">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          saving.mutate(forecastUpdate(forecast, { accumulate: toAccumulate(opening, today) }), {
            onSuccess: () => {
              const level = numberOf(floor)
              if (level !== null) onFloor(level)
              onClose()
            },
          })
        }}
      >
        <Stack>
          <Text size="sm">
            The figures are then added up, from the balance on. The forecast runs again and shows the balance as soon as
            it is done.
          </Text>
          <NumberInput
            label="Balance this morning"
            description="Empty: what the books say, or else the sum of all that came before."
            value={opening}
            onChange={setOpening}
            data-autofocus
            {...shared}
          />
          <NumberInput
            label="Cash floor"
            description="The level that the balance should not fall under. Empty: none."
            value={floor}
            onChange={setFloor}
            {...shared}
          />
          <FormError error={saving.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={saving.isPending}>
              Show the balance
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
