# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# Passes a test's TAP on and adds, as test results of their own, what the TAP
# itself cannot say: that the program died, ran too long, broke its plan, or
# left something on the kernel log. So the TAP file alone holds the verdict.
#
# run-one appends lines that start with the byte 1:
#   \001status N      the program's exit status
#   \001problem TEXT  one more thing that went wrong

function failed(text)
{
	printf "not ok %d - %s\n", ++ran, text
	failures++
}

# A plan comes once, at the end, because results may be added.
/^1\.\.[0-9]+/ {
	has_plan = 1
	plan_line = $0
	planned = substr($1, 4) + 0
	next
}

/^\001status / { status = $2 + 0; next }

/^\001problem / { problems[++problem_count] = substr($0, 10); next }

# To prove, this would end every other test of the run as well.
/^Bail out!/ {
	problems[++problem_count] = "the test gave up:" substr($0, 10)
	bailed = 1
	next
}

/^TAP version |^$/ { next }

/^not ok/ { if ($0 !~ /# *(TODO|SKIP)/) failures++ }

/^(not )?ok/ { ran++ }

{ print; fflush() }

END {
	if (status == 77 && !has_plan && !ran && !problem_count) {
		print "1..0 # SKIP " (skip_reason != "" ? skip_reason : "exit status 77")
		exit
	}
	if (has_plan && planned == 0 && plan_line ~ /# *[Ss][Kk][Ii][Pp]/ &&
	    !ran && !status && !problem_count) {
		print plan_line
		exit
	}
	if (status == 124 || status == 137)
		failed("ends within " limit " s (its time limit); it was ended")
	else if (status > 128)
		failed("does not die of signal " (status - 128))
	else if (bailed)
		;
	else if (!has_plan)
		failed(ran ? "reaches its end and its plan" : "gives a test result")
	else if (planned == 0)
		failed("runs a test or gives a reason why not")
	else if (planned != ran)
		failed("runs the " planned " tests of its plan; it ran " ran)
	else if (status && !failures)
		failed("exits with 0 when all passed; it exited with " status)
	for (i = 1; i <= problem_count; i++)
		failed(problems[i])
	print "1.." ran
}
