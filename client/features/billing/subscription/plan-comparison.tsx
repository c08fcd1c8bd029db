import { Table } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import {
  GATE_NAMES,
  isPlannedGate,
  isPlannedLimit,
  LIMIT_NAMES,
  planById,
  SELLABLE_PLAN_IDS,
  type Plan,
} from '../../../../src/shared/billing/plans'
import { useFormat } from '../../../lib/format'
import { MISSING_VALUE } from '../../../../src/shared/figures/figures'
import { allowanceTitle, FEATURE_LABELS } from '../../../lib/plan/plan-labels'
import { SectionCard } from '../../../ui/section-card'
import classes from './subscription.module.css'

const COMPARED_LIMITS = LIMIT_NAMES.filter((limit) => !isPlannedLimit(limit))
const COMPARED_GATES = GATE_NAMES.filter((gate) => !isPlannedGate(gate))
const COMPARED_PLANS = SELLABLE_PLAN_IDS.map(planById).filter((plan): plan is Plan => plan !== undefined)

/** Every limit and feature that exists, plan by plan, from what the plans give. */
export function PlanComparison() {
  const format = useFormat()
  return (
    <SectionCard title="Compare plans">
      <Table.ScrollContainer minWidth={420}>
        <Table className={classes.comparison} aria-label="Compare plans">
          <Table.Thead>
            <Table.Tr>
              <Table.Td />
              {COMPARED_PLANS.map(({ id, name }) => (
                <Table.Th key={id} scope="col" className="numeric">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {COMPARED_LIMITS.map((limit) => (
              <Table.Tr key={limit}>
                <Table.Th scope="row">{allowanceTitle(limit)}</Table.Th>
                {COMPARED_PLANS.map(({ id, features }) => (
                  <Table.Td key={id} className="numeric figure">
                    {features[limit] === null ? 'Unlimited' : format.count(features[limit])}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
            <Table.Tr>
              <Table.Th scope="row">Scheduled sync</Table.Th>
              {COMPARED_PLANS.map(({ id, features }) => (
                <Table.Td key={id} className="numeric figure">
                  Every {features.syncFrequencyHours} h
                </Table.Td>
              ))}
            </Table.Tr>
            {COMPARED_GATES.map((gate) => (
              <Table.Tr key={gate}>
                <Table.Th scope="row">{FEATURE_LABELS[gate].name}</Table.Th>
                {COMPARED_PLANS.map(({ id, features }) => (
                  <Table.Td key={id} className="numeric">
                    {features[gate] ? (
                      <IconCheck size={16} aria-label="Included" role="img" />
                    ) : (
                      <span aria-label="Not included" role="img">
                        {MISSING_VALUE}
                      </span>
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </SectionCard>
  )
}
