import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core'
import { IconCoins } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { QueryPlan } from '../../../../src/shared/query/plan'
import { defaultCurrencyMode, type MixedCurrencyLine } from '../../../../src/shared/currencies'
import { datasetIdsOf } from '../../../../src/shared/query/plan-fields'
import { currenciesQuery } from '../../../lib/queries/currency-queries'
import { useFormat } from '../../../lib/format'
import { useSession } from '../../../lib/session'
import { UpgradeLine } from '../../../ui/upgrade-prompt'
import { useDatasets } from '../../../lib/queries/data-source-queries'
import { MutedText } from '../../../ui/muted-text'

interface MixedCurrencyAlertProps {
  plan: QueryPlan
  lines: readonly MixedCurrencyLine[]
  onConvert: (currency: NonNullable<QueryPlan['currency']>) => void
}

/** In place of a sum over several currencies: what it comes to in each, and one press to bring them to one. */
export function MixedCurrencyAlert({ plan, lines, onConvert }: MixedCurrencyAlertProps) {
  const format = useFormat()
  const [first] = lines
  const shown = lines.filter(({ measure }) => measure === first?.measure)
  return (
    <Alert
      color="yellow"
      icon={<IconCoins aria-hidden />}
      title="Amounts are in several currencies"
      role="alert"
      mb="md"
    >
      <Stack gap="sm">
        <Text size="sm">Amounts per currency:</Text>
        {shown.length > 0 && (
          <Table aria-label="Amounts by currency" withRowBorders={false} verticalSpacing={2} w="fit-content">
            <Table.Thead className="only-reader">
              <Table.Tr>
                <Table.Th>Amount</Table.Th>
                <Table.Th>Rows</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map(({ currency, amount, rows }) => (
                <Table.Tr key={currency ?? ''}>
                  <Table.Td className="numeric" fw={600}>
                    {currency === null || !/^[A-Z]{3}$/.test(currency)
                      ? `${format.decimal(amount)} ${currency ?? 'without a currency'}`
                      : `${format.decimal(amount)} ${currency}`}
                  </Table.Td>
                  <Table.Td className="numeric">
                    {format.count(rows)} {rows === 1 ? 'row' : 'rows'}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        <ConvertButton plan={plan} onConvert={onConvert} />
      </Stack>
    </Alert>
  )
}

function ConvertButton({ plan, onConvert }: Pick<MixedCurrencyAlertProps, 'plan' | 'onConvert'>) {
  const { workspace } = useSession()
  const settings = useQuery(currenciesQuery()).data?.settings
  const datasets = useDatasets(datasetIdsOf(plan))
  if (!workspace?.entitlements.features.multiCurrency)
    return <UpgradeLine need={{ kind: 'gate', gate: 'multiCurrency' }} />
  const code = settings?.code ?? workspace.settings.currency
  return (
    <Group gap="sm">
      <Button
        size="compact-md"
        onClick={() => onConvert({ code, mode: defaultCurrencyMode(plan, datasets, settings?.mode ?? 'automatic') })}
      >
        Convert to {code}
      </Button>
      <MutedText size="xs">Or break down by currency.</MutedText>
    </Group>
  )
}
