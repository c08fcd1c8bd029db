import { Text } from '@mantine/core'
import { INTERVAL_ADVERBS, findOlderTier, INTERVAL_PRICE_SUFFIX } from './plan-names'
import classes from './subscription.module.css'
import { amountOf, useMoney } from '../../lib/money'
import { LinkButton } from '../../ui/links'
import { SectionCard } from '../../ui/section-card'
import { BILLING_INTERVALS } from '../../../src/shared/prices'
import type { SubscriptionView } from '../../../src/shared/subscription'

/** The agreement of an older tier: what it is named by, and what it costs for a month and for a year. */
export function OlderTierCard({ view }: { view: SubscriptionView }) {
  const money = useMoney()
  const tier = findOlderTier(view.tier)
  if (!tier) return null
  return (
    <SectionCard
      title="Your older tier"
      description="It is not sold any more, and yours as long as you keep it: it renews at its own price in kronor."
    >
      <ul className={classes.rows}>
        {BILLING_INTERVALS.map((interval) => {
          const amount = amountOf(tier.prices[interval])
          return (
            <li key={interval} className={classes.row}>
              <div className={classes.rowWords}>
                <span className={classes.rowName}>Paid {INTERVAL_ADVERBS[interval]}</span>
                <Text size="sm" c="dimmed" className="figure">
                  {amount && `${money(amount)} ${INTERVAL_PRICE_SUFFIX[interval]}`}
                </Text>
              </div>
              {view.interval === interval ? (
                <Text size="sm">How you pay now</Text>
              ) : (
                <LinkButton
                  to="/settings/workspace/subscription/checkout"
                  search={{ plan: 'legacy', interval }}
                  variant="default"
                >
                  Pay {INTERVAL_ADVERBS[interval]}
                </LinkButton>
              )}
            </li>
          )
        })}
      </ul>
    </SectionCard>
  )
}
