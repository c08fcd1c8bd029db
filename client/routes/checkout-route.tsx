import { getRouteApi } from '@tanstack/react-router'
import { CheckoutScreen } from '../features/billing/checkout/checkout-screen'

const route = getRouteApi('/app/settings/settings/workspace/subscription/checkout')

export function CheckoutRoute() {
  const navigate = route.useNavigate()
  return (
    <CheckoutScreen
      search={route.useSearch()}
      onSearch={(search) =>
        void navigate({ search: (now) => ({ ...now, ...search }), replace: true, resetScroll: false })
      }
      onChanged={() => void navigate({ to: '/settings/workspace/subscription' })}
    />
  )
}
