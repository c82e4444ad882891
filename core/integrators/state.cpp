// integrators
