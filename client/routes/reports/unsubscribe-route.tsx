import { AuthLayout } from '../../features/identity/auth-layout'
import { UnsubscribeScreen } from '../../features/reports/schedules/unsubscribe-screen'

export const UnsubscribeRoute = () => <UnsubscribeScreen frame={(page) => <AuthLayout {...page} />} />
